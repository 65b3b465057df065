"""The trips that are talked about: a frame for each part, and the rules by which messages and tools change them."""
