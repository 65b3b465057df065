"""The reading of Japanese."""
