"""A domain of another kind: what a gardener is remembered by."""

from __future__ import annotations

from pathlib import Path

GARDENER = Path(__file__).with_name("gardener.toml")
