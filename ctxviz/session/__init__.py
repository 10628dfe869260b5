"""Floor 2: files to sessions. Runs without Textual."""
