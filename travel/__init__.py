"""Travel: the protocol of providers, what they offer, and the sample world that ships."""

SAMPLE = "sample data"
"""The source that every result of the sample world names, so that nobody takes it for a real offer."""
