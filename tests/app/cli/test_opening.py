"""Garbage collection: objects that exist after loading are frozen, later ones are collected."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.app.commandline import CommandLine

PROGRAM = """
import gc
from app.cli.opening import with_concierge
async def use(concierge):
    return gc.isenabled(), gc.get_freeze_count() > 10_000
print(*with_concierge(use))
"""


@pytest.mark.slow
def test_garbage_collection_is_enabled_with_loaded_objects_frozen(concierge: CommandLine) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=concierge.env(), cwd=concierge.folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["True", "True"]
