"""Searches notes, episodes and the turns of earlier conversations by words and by meaning.

The index itself is in `memory.recall.index`, which imports numpy: commands that search nothing don't load it.
"""

from memory.recall.document import Document, Hit, Kind

__all__ = ["Document", "Hit", "Kind"]
