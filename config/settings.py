"""The settings of a concierge, which are parsed once from the environment and `.env`, then passed as an argument."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from config.checks import Hosts, HttpUrl, Key, Listed, ListedOrNone, PostgresUrl, SentKey, SummaryPrompt, without_unused
from config.errors import SettingsError
from config.explain import check_names, did_you_mean, explain
from config.redact import redact

_PREFIX = "CONCIERGE_"
_NO_SETTINGS = ("CONCIERGE_DEBUG",)
"""Variables with the prefix that the command line reads itself, so that they work even if the settings are wrong."""

PROVIDERS = frozenset({
    "anthropic", "azure_ai", "azure_openai", "bedrock", "bedrock_converse", "cohere", "deepseek", "fireworks",
    "google_anthropic_vertex", "google_genai", "google_vertexai", "groq", "huggingface", "ibm", "litellm",
    "mistralai", "nvidia", "ollama", "openai", "openrouter", "perplexity", "together", "upstage", "xai",
})  # fmt: skip
"""Providers that LangChain's `init_chat_model` supports, as in `provider:model`."""


class Settings(BaseSettings):
    """All settings. Each field is the environment variable `CONCIERGE_<NAME>`; see `.env.example`."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    data_dir: Path = Field(Path(".concierge"), description="Folder for all data that is kept between runs.")
    language: Literal["en", "ja"] = Field("en", description="Language of prompts if the run's context names none.")
    default_user: str = Field(
        "", description="User of runs that name none (Studio on your own machine). Leave it empty on a shared server."
    )

    log_format: Literal["text", "json"] = Field(
        "text", description="`json` logs one object per line to stderr, without user text or ids of users."
    )
    app_name: str = Field(
        "",
        pattern=r"^[a-z0-9-]{0,40}$",
        description="Name of this application if several share one store; each has its own memories.",
    )

    # models
    model_provider: Literal["auto", "offline", "openai"] = Field(
        "auto", description="`auto` uses OpenAI if a key or a base URL is set, else the offline model."
    )
    agent_model: str = Field(
        "gpt-5-mini",
        description="Model that talks to the traveller; `provider:name` uses any installed LangChain integration "
        "(anthropic:…, ollama:…), and the other two models default to it then.",
    )
    summary_model: str = Field("gpt-5-nano", description="Model that summarises history.")
    consolidation_model: str = Field("gpt-5-mini", description="Model that plans how session notes change memory.")
    model_timeout: float = Field(60.0, gt=0, le=600, description="Seconds one model call may take.")
    model_max_retries: int = Field(
        2, ge=0, le=10, description="Retries of a model call on 429, 5xx and lost connections."
    )
    max_output_tokens: int | None = Field(
        None, ge=64, le=200_000, description="Maximum tokens of one answer; the endpoint's own limit if empty."
    )
    temperature: float | None = Field(
        None, ge=0, le=2, description="Sampling temperature; the model's own default if empty. Use 0 for a small model."
    )
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = Field(
        None, description="Reasoning effort of an OpenAI reasoning model; its own default if empty."
    )
    openai_api_key: SentKey | None = Field(None, validation_alias="OPENAI_API_KEY", description="Key of the endpoint.")
    openai_base_url: HttpUrl | None = Field(
        None, validation_alias="OPENAI_BASE_URL", description="Any OpenAI-compatible endpoint, such as a local server."
    )

    # injection
    injection_strategy: Literal["all", "recent", "relevant", "blended"] = Field(
        "blended",
        description="How notes are chosen if they exceed the budget: not at all, by date, by relevance to the session, "
        "or by relevance, confirmations and date, balanced over topics.",
    )
    injection_tokens: int = Field(
        1000, ge=50, le=32_000, description="Token budget of the notes shown; hard constraints are always shown."
    )
    always_inject_session_notes: bool = Field(False, description="Show session notes from the first turn on.")

    # distillation
    distillation: Literal["tool", "turn", "session"] = Field(
        "tool", description="When notes are taken: by the agent's tool, after each turn, or at the end of the session."
    )

    # what may be remembered
    memory_schema: Path | None = Field(
        None, description="File of topics and attributes that may be remembered; the bundled travel schema if empty."
    )
    memory_topics: ListedOrNone = Field(
        None, description="Topics that may be remembered and used, separated by commas; all by default."
    )
    memory_scopes: ListedOrNone = Field(
        None, description="Scopes that notes may have: user, workspace, trip, separated by commas; all by default."
    )
    min_confidence: float = Field(0.5, ge=0, le=1, description="Minimum confidence of a note; others are refused.")
    max_notes: int = Field(
        500, ge=10, le=100_000, description="Maximum live notes per user; beyond it the least useful one is retired."
    )
    max_import_mb: int = Field(8, ge=1, le=512, description="Maximum size of an import, in MB.")
    half_life_days: float = Field(
        0.0, ge=0, le=36_500, description="Days without use after which a note has half its weight; 0 keeps the weight."
    )

    # the end of a session
    session_idle_minutes: float = Field(
        60.0, gt=0, le=100_000, description="Minutes without a message that end a session, on a server or by `sweep`."
    )
    session_max_turns: int = Field(
        60, ge=1, le=10_000, description="Turns after which a session is consolidated and a new one begins."
    )

    # episodes
    episodes: Literal["summarize", "plain", "off"] = Field(
        "summarize", description="What is stored about a session: a summary, its opening words, or nothing."
    )

    preload_episodes: int = Field(
        0, ge=0, le=5, description="Most earlier sessions added to the instructions if relevant to the message."
    )
    workspaces: bool = Field(
        True,
        description="Let runs name a workspace, a memory that several users share; on a server only if the deployment "
        "checks membership.",
    )
    workspace: str = Field("", description="Workspace of runs that name none, such as those of the command line.")

    # history
    history_mode: Literal["trim", "summarize"] = Field("summarize", description="How a long thread is shortened.")
    max_turns: int = Field(20, ge=1, le=500, description="Turns kept by `trim`.")
    context_limit: int = Field(12, ge=1, le=500, description="User turns of a thread before `summarize` acts.")
    keep_last_n_turns: int = Field(6, ge=0, le=500, description="User turns that `summarize` keeps unchanged.")
    summary_words: int = Field(200, ge=20, le=5_000, description="Maximum words of a summary.")
    summary_tool_chars: int = Field(400, ge=20, le=100_000, description="Characters of each tool result in its input.")
    summary_prompt: SummaryPrompt | None = Field(
        None,
        description="Text file with your own instructions for the summary, with the placeholders {previous_summary}, "
        "{transcript} and {words}. The headings stay.",
    )
    history_tokens: int = Field(24_000, ge=500, le=1_000_000, description="Maximum tokens of history sent to a model.")
    max_message_chars: int = Field(20_000, ge=100, le=1_000_000, description="Maximum characters of a message.")
    checkpoints_kept: int = Field(20, ge=2, le=10_000, description="Checkpoints kept per thread.")

    # budgets of one turn
    max_tool_rounds: int = Field(6, ge=1, le=30, description="Maximum tool rounds in one turn.")
    turn_timeout: float = Field(180.0, gt=0, le=3600, description="Seconds one turn may take.")

    # travel
    travel: Literal["sample", "off"] = Field(
        "sample", description="Travel provider: the bundled sample world, or none."
    )

    mcp_servers: Path | None = Field(
        None,
        description="JSON file of MCP servers whose tools may be used: "
        '{"name": {"command": ["program"] or "url": "https://…", "allow": ["tool"]}}. Needs the extra `mcp`.',
    )

    # access to a server
    auth_key: SecretStr | None = Field(
        None,
        min_length=32,
        description="Secret, of 32 characters or more, that signs users' tokens (HS256). Without it and without a "
        "public key a server is for development: it generates a key, and serves its own machine only.",
    )
    auth_public_key: Path | None = Field(
        None, description="PEM file of your identity provider's public key; its tokens are accepted too."
    )
    auth_issuer: str = Field("concierge", min_length=1, description="Issuer (`iss`) that tokens must name.")
    auth_audience: str = Field("concierge", min_length=1, description="Audience (`aud`) that tokens must name.")
    allowed_hosts: Hosts = Field(
        (), description="Host names of a server, separated by commas, in addition to those of its own machine."
    )
    allowed_origins: Listed = Field(
        (),
        description="Other web applications that may call a server from a browser, separated by commas: "
        "https://chat.example.com.",
    )

    stop_timeout: float = Field(
        20.0, ge=0, le=3600, description="Seconds that running turns may take to end when a server is stopped."
    )

    # long-term store
    encryption_key: Key | None = Field(
        None,
        description="Key that encrypts memory and conversations at rest: 32 random bytes in base64, as printed by "
        "`openssl rand -base64 32`. Keep a copy elsewhere: without it nothing can be read.",
    )
    old_encryption_key: Key | None = Field(
        None, description="Previous key: `concierge restore` re-encrypts a backup that was made with it."
    )
    store_url: PostgresUrl | None = Field(
        None,
        description="PostgreSQL database for memory and threads, for several processes: "
        "postgresql://user:password@host:5432/database. If empty, they are in the data directory.",
    )
    chroma_url: HttpUrl | None = Field(
        None,
        description="Chroma server for the vectors, http://host:8000. If empty, they are in the data directory.",
    )
    embedder: Literal["local", "openai", "none"] = Field(
        "local", description="Embeddings for search: bundled and local, from the endpoint, or keywords only."
    )
    embedding_model: str = Field("text-embedding-3-small", description="Model of the `openai` embedder.")

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Hide secrets, including passwords in URLs."""
        return ((name, redact(value) if isinstance(value, str) else value) for name, value in super().__repr_args__())

    _unused = model_validator(mode="before")(without_unused)

    @field_validator("data_dir")
    @classmethod
    def _at_home(cls, folder: Path) -> Path:
        return folder.expanduser()  # no shell has expanded `~` within quotes or in `.env`

    @field_validator("allowed_origins")
    @classmethod
    def _each_by_name(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        if any("*" in origin for origin in origins):
            raise ValueError("there are no wildcards; name each origin, as https://app.example.com")
        return origins

    @model_validator(mode="after")
    def _limits_fit(self) -> Self:
        if self.keep_last_n_turns > self.context_limit:
            raise ValueError(
                f"CONCIERGE_KEEP_LAST_N_TURNS is {self.keep_last_n_turns} and CONCIERGE_CONTEXT_LIMIT is "
                f"{self.context_limit}; the first must not be greater than the second"
            )
        if self.model_provider == "openai" and not (self.openai_api_key or self.openai_base_url):
            raise ValueError(
                "CONCIERGE_MODEL_PROVIDER is 'openai', but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set; "
                "set one of them, or use 'auto' or 'offline'"
            )
        for role in ("agent_model", "summary_model", "consolidation_model"):
            model, default = getattr(self, role), type(self).model_fields[role].default
            if self.model_provider == "auto" and not (self.uses_openai or model == default or _provider_of(model)):
                provider = model.partition(":")[0]
                raise ValueError(
                    f"CONCIERGE_{role.upper()} is {model!r}: {provider!r} is no provider, and no endpoint is set that "
                    f"has this model.{did_you_mean(provider, PROVIDERS)} Set OPENAI_API_KEY or OPENAI_BASE_URL"
                )
        return self

    @property
    def uses_openai(self) -> bool:
        """True if model names without a provider are sent to an OpenAI-compatible endpoint."""
        if self.model_provider == "auto":
            return bool(self.openai_api_key or self.openai_base_url)
        return self.model_provider == "openai"

    @property
    def is_offline(self) -> bool:
        """True if the offline model answers the traveller."""
        return not (self.uses_openai or self.integration_of("agent"))

    def model_of(self, role: Literal["agent", "summary", "consolidation"]) -> str:
        """Return the name of a role's model; if it is not set, that of the agent if the agent's names a provider."""
        field = f"{role}_model"
        uses_agent_model = field not in self.model_fields_set and _provider_of(self.agent_model)
        return self.agent_model if uses_agent_model else str(getattr(self, field))

    def integration_of(self, role: Literal["agent", "summary", "consolidation"]) -> str | None:
        """Return the provider in the name of a role's model, as in `anthropic:…`, or None."""
        return None if self.model_provider == "offline" else _provider_of(self.model_of(role))


def load_settings(**overrides: Any) -> Settings:
    """Read settings from the environment and `.env`; keyword arguments take precedence.

    Raises:
        SettingsError: for wrong or unknown settings; the message gives each one's name, value and allowed values.
    """
    check_names(Settings, overrides, prefix=_PREFIX, ignored=_NO_SETTINGS)
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError(explain(error)) from None


def _provider_of(name: str) -> str | None:
    """Return the provider of `provider:name`; None for other names, which may contain a colon too ("llama3.2:3b")."""
    prefix, colon, _ = name.partition(":")
    return prefix if colon and prefix in PROVIDERS else None
