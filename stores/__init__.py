"""Storage: the long-term store and its vector index, checkpoints, backups, encryption and locks."""
