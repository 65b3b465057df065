"""The tools with which a model reads and changes memory."""
