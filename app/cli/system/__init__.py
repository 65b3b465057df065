"""Runs `concierge settings`, `graph` and `reindex`, which show or mend the installation itself."""
