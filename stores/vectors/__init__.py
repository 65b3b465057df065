"""Vectors in Chroma: an index over the items that can be thrown away and rebuilt."""
