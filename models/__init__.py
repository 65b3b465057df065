"""The chat models (OpenAI-compatible endpoints and the offline concierge), and two functions that call them."""

from models.calls import answer, structured
from models.roles import Models, Role

__all__ = ["Models", "Role", "answer", "structured"]
