"""An interactive visual debugger for context-window projection."""
