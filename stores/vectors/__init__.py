"""The vector index in Chroma, which can be deleted and rebuilt from the items."""
