"""Gives users control of their memory: edit, undo, history, forget, delete everything."""
