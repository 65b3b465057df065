"""The command line `concierge`."""
