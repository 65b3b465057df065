"""The chat models: OpenAI-compatible endpoints, the offline concierge, and the two ways of calling them."""

from llm.calls import answer, structured
from llm.models import Models, Role

__all__ = ["Models", "Role", "answer", "structured"]
