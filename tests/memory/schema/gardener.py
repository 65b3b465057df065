"""The path of another schema: that of a gardener."""

from __future__ import annotations

from pathlib import Path

GARDENER = Path(__file__).with_name("gardener.toml")
GYM = GARDENER.with_name("gym.toml")
