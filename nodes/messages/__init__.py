"""Turns, citations, the system prompt, and the episode of a session."""
