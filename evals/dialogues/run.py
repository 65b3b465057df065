"""Plays rows, each with a concierge in a directory of its own, and judges them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.language_models import BaseChatModel

from app.api.opening import open_concierge
from config.settings import Settings, load_settings
from evals.dialogues.canary import RandomModel, silent_model
from evals.dialogues.judge import Fault, judge_end, judge_turn
from evals.dialogues.offers import Offers
from evals.dialogues.play import Player, Turn
from evals.dialogues.rows import Row
from memory.records.notes import Note
from models.roles import Role
from travel.sample.world import SampleWorld

CANARIES = ("random", "silent")


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one row: each turn with its faults, the lasting notes, and the faults of the end."""

    row: Row
    turns: Sequence[tuple[Turn, Sequence[Fault]]]
    notes: Sequence[Note]
    end: Sequence[Fault]
    lacking: bool
    """Whether the sample world has no matching offer; the checks that depend on it were skipped."""

    @property
    def faults(self) -> list[Fault]:
        """Return all faults."""
        return [*(fault for _, faults in self.turns for fault in faults), *self.end]


def play_all(rows: Sequence[Row], *, model: str, now: date, jobs: int = 1, keep_open: bool = False) -> list[Played]:
    """Play rows with a model; see `settings_of` for its name. Raises SettingsError."""
    play_one = partial(_play_one, model, now, keep_open)
    if jobs <= 1:
        return list(map(play_one, rows))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_quieten) as pool:
        return list(pool.map(play_one, rows))


def _play_one(model: str, now: date, keep_open: bool, row: Row) -> Played:
    return asyncio.run(play(row, *settings_of(model), now, keep_open=keep_open))


def _quieten() -> None:
    logging.disable(logging.ERROR)


def settings_of(model: str) -> tuple[Settings, Mapping[Role, BaseChatModel]]:
    """Return the settings and models for `offline`, a canary, `settings`, or the name of a model.

    `settings` uses the environment unchanged; a name uses that model of the endpoint in the environment for each role.
    """
    if model in ("offline", *CANARIES):
        agent = {"random": RandomModel, "silent": silent_model}.get(model)
        return load_settings(model_provider="offline"), {"agent": agent()} if agent else {}
    if model == "settings":
        return load_settings(), {}
    return load_settings(
        model_provider="openai", agent_model=model, summary_model=model, consolidation_model=model
    ), {}  # fmt: skip


async def play(
    row: Row, settings: Settings, models: Mapping[Role, BaseChatModel], now: date, *, keep_open: bool = False
) -> Played:
    """Play one row; with `keep_open`, the notes are judged without ending the session."""
    start, ticks = datetime.combine(now, time(9), UTC), count()

    def clock() -> datetime:
        """Return a later time at each call, as the newer of two statements wins."""
        return start + timedelta(milliseconds=next(ticks))

    with TemporaryDirectory(prefix="dialogue-") as folder:
        at = settings.model_copy(update={"data_dir": Path(folder)})
        async with open_concierge(at, models=models, clock=clock) as concierge:
            world = SampleWorld(Path(folder), clock=clock)
            try:
                return await _play_turns(Player(row, concierge, Offers(world), clock), keep_open)
            finally:
                world.close()


async def _play_turns(player: Player, keep_open: bool) -> Played:
    await player.prepare()
    turns: list[tuple[Turn, Sequence[Fault]]] = []
    lacking = False
    for number, script in enumerate(player.row.turns, 1):
        turn = await player.play_turn(number, script)
        faults, lacking = await judge_turn(turn, player, lacking=lacking)
        turns.append((turn, faults))
    kept = await player.end(keep_open=keep_open)
    end = judge_end([turn for turn, _ in turns], kept, player, lacking=lacking)
    return Played(player.row, turns, kept, end, lacking)
