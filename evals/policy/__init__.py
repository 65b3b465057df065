"""Measures the policy: what it blocks of sensitive data and instructions, and what it blocks wrongly."""
