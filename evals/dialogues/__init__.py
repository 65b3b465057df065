"""Plays scripted travellers against the concierge, and judges its actions rather than its wording."""
