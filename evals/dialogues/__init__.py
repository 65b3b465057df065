"""Scripted travellers who talk to the concierge, judged by what it did and not by its wording."""
