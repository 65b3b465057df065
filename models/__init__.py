"""The chat models: OpenAI-compatible endpoints, the offline concierge, and the two ways of calling them."""

from models.calls import answer, structured
from models.roles import Models, Role

__all__ = ["Models", "Role", "answer", "structured"]
