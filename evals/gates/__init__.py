"""Measures the gates: they must keep a model's right proposals, and render its wrong ones harmless."""
