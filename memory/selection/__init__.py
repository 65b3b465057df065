"""Which notes a prompt shows, which of them conflict, and which are evicted."""
