"""Recall: hybrid search over notes, episodes and the turns of earlier conversations."""

from memory.recall.document import Document, Hit, Kind
from memory.recall.index import RecallIndex
from memory.recall.tuning import Tuning, Window

__all__ = ["Document", "Hit", "Kind", "RecallIndex", "Tuning", "Window"]
