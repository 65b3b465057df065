"""The prompts for models and the fixed replies to travellers, in one folder per language."""

from prompts.loader import Language, conversation, placeholders, prompt, prompt_of, reply, substituted

__all__ = ["Language", "conversation", "placeholders", "prompt", "prompt_of", "reply", "substituted"]
