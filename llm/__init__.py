"""The chat models: an OpenAI-compatible endpoint, and the offline concierge."""
