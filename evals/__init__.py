"""How well the concierge does, measured: not part of what is installed."""
