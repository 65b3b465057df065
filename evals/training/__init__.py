"""Trains the weights that the repository holds, and holds the texts that they are trained on."""
