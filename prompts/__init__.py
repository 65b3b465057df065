"""Every word said to a model, and every fixed word said to a traveller: one folder per language."""

from prompts.loader import Language, conversation, prompt, prompt_of, reply

__all__ = ["Language", "conversation", "prompt", "prompt_of", "reply"]
