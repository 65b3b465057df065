"""Runs `concierge memory`: see, change, export and import what is remembered."""
