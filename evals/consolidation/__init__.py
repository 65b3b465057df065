"""What becomes of a session's notes, measured on scenarios: repeats, changes of mind, mentions, trips, limits."""
