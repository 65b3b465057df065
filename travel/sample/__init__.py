"""The sample world, which is computed from a seed."""

SAMPLE = "sample data"
"""The `source` of every result of the sample world, so that nobody mistakes it for a real offer."""
