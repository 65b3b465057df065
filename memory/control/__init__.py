"""The user's control of memory: edit, undo, history, forget, delete everything."""
