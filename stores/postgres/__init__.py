"""PostgreSQL: the database, its locks, and the items of the long-term store in it."""
