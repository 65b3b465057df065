"""Measures which statements the offline model keeps as notes."""
