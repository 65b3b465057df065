"""Encrypts what a saver keeps of a checkpoint: values row by row, and what metadata may tell of a person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)

from stores.encryption import Cipher

READABLE_METADATA = frozenset({"source", "step", "parents", "run_id"})
"""Metadata that queries of the database need; it says nothing of anybody."""

_SEALED = "sealed"
_PLACE = "thread_id", "checkpoint_ns", "checkpoint_id"


def seal_metadata(cipher: Cipher, told: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Return metadata of the checkpoint at this place with all that may tell of a person encrypted."""
    hidden = {name: value for name, value in told.items() if name not in READABLE_METADATA}
    known = {name: value for name, value in told.items() if name in READABLE_METADATA}
    return {**known, _SEALED: cipher.seal_text(json.dumps(hidden), "metadata", *place)}


def unseal_metadata(cipher: Cipher, told: Mapping[str, Any], *place: str) -> dict[str, Any]:
    """Return the metadata that `seal_metadata` was given. Raises ValueError as `Cipher.unseal` does."""
    hidden = json.loads(cipher.unseal_text(told[_SEALED], "metadata", *place)) if _SEALED in told else {}
    return {**{name: value for name, value in told.items() if name != _SEALED}, **hidden}


class SealingSaver(BaseCheckpointSaver[str]):
    """A saver whose rows are bound to their place, and encrypted where it has a cipher."""

    cipher: Cipher | None = None

    def _seal(self, value: bytes, *place: str) -> bytes:
        return self.cipher.seal(value, *place) if self.cipher else value

    def _unseal(self, value: bytes, *place: str) -> bytes:
        return self.cipher.unseal(value, *place) if self.cipher else value

    def _moved(self, value: bytes, table: str, thread: str, target: str, *rest: str) -> bytes:
        """Return a value of one thread as another keeps it."""
        return self._seal(self._unseal(value, table, thread, *rest), table, target, *rest)

    def _sealed_metadata(
        self, config: RunnableConfig, metadata: CheckpointMetadata, checkpoint_id: str
    ) -> tuple[RunnableConfig, CheckpointMetadata]:
        """Return what a saver is to be given in their place, so that it writes nothing readable of a person."""
        if self.cipher is None:
            return config, metadata
        named = config["configurable"]
        told: dict[str, Any] = dict(get_checkpoint_metadata(config, metadata))
        told = seal_metadata(self.cipher, told, str(named["thread_id"]), named["checkpoint_ns"], checkpoint_id)
        kept: dict[str, Any] = {name: named[name] for name in _PLACE if name in named}
        return {"configurable": kept}, cast(CheckpointMetadata, told)

    def _unsealed(self, found: CheckpointTuple) -> CheckpointTuple:
        """Return a checkpoint as it was given: with all of its metadata."""
        if self.cipher is None or _SEALED not in found.metadata:
            return found
        named = found.config["configurable"]
        place = str(named["thread_id"]), named.get("checkpoint_ns", ""), named["checkpoint_id"]
        told = unseal_metadata(self.cipher, dict(found.metadata), *place)
        return found._replace(metadata=cast(CheckpointMetadata, told))

    def _moved_metadata(self, metadata: dict[str, Any], thread: str, target: str, *rest: str) -> dict[str, Any]:
        """Return the metadata of one thread's checkpoint as another keeps it."""
        if self.cipher is None or _SEALED not in metadata:
            return metadata
        hidden = self.cipher.unseal_text(metadata[_SEALED], "metadata", thread, *rest)
        return {**metadata, _SEALED: self.cipher.seal_text(hidden, "metadata", target, *rest)}
