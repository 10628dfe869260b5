"""Floor 4: answers leaving as text. Runs without Textual."""
