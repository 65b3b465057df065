"""Measures which statements the offline model keeps of what people say, and what it leaves alone."""
