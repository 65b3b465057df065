"""Handles lists of messages: turns, transcripts, citations, redaction."""
