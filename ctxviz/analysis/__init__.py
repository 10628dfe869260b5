"""Floor 3: questions about a session and a budget. Pure; runs without Textual."""
