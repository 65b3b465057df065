"""The inventory of the sample world: what is left, in SQLite."""
