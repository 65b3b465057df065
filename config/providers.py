"""Which words before the colon of a model's name are providers."""

PROVIDERS = frozenset(
    {
        "anthropic", "azure_ai", "azure_openai", "bedrock", "bedrock_converse", "cohere", "deepseek", "fireworks",
        "google_anthropic_vertex", "google_genai", "google_vertexai", "groq", "huggingface", "ibm", "litellm",
        "mistralai", "nvidia", "ollama", "openai", "openrouter", "perplexity", "together", "upstage", "xai",
    }
)  # fmt: skip
"""Integrations that LangChain's `init_chat_model` knows."""


def provider_of(name: str) -> str | None:
    """Return the provider of `provider:name`; None for a plain name, which may hold a colon too ("llama3.2:3b")."""
    prefix, colon, _ = name.partition(":")
    return prefix if colon and prefix in PROVIDERS else None
