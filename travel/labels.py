"""How everything is labelled that comes from the sample world."""

SAMPLE = "sample data"
"""What the model and the traveller see beside each result, so that nobody takes it for a real offer."""
