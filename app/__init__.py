"""How people reach the concierge: the command line, and the server's configuration beside it."""
