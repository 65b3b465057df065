"""Lets people reach the concierge: the command line, the Python API and the server's configuration."""
