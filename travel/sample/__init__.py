"""How the sample world is made: everything follows from a seed, nothing is drawn at run time."""

SAMPLE = "sample data"
"""The source that every result of the sample world names, so that nobody takes it for a real offer."""
