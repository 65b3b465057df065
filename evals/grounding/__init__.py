"""Grounding: proposals that rest on the user's words, and proposals that do not."""
