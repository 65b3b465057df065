"""The offline concierge: a deterministic chat model that reads the same prompts an LLM would."""

from models.offline.model import OfflineConcierge

__all__ = ["OfflineConcierge"]
