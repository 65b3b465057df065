"""Recall: hybrid search over notes, episodes and the turns of earlier conversations."""

from stores.recall.document import Document, Hit, Kind
from stores.recall.index import RecallIndex
from stores.recall.tuning import Tuning, Window

__all__ = ["Document", "Hit", "Kind", "RecallIndex", "Tuning", "Window"]
