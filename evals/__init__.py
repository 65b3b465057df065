"""Measures the quality of the concierge; not part of the installed package."""
