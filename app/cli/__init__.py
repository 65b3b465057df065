"""Runs the command line `concierge`."""
