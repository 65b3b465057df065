"""The items of the long-term store: the interface of their backends, and the SQLite backend."""
