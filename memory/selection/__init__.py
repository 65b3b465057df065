"""Selects the notes that a prompt shows, the conflicts to ask about, and the notes to evict."""
