"""Searches notes, episodes and the turns of earlier conversations by words and by meaning.

The index itself is `memory.recall.index`: it brings numpy, which a command that searches nothing does without.
"""

from memory.recall.document import Document, Hit, Kind

__all__ = ["Document", "Hit", "Kind"]
