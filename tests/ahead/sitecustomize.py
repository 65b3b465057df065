"""Turns the clock of a Python process DAYS_AHEAD days on; Python runs it where `tests/ahead` is on its path."""

import os
import time
from datetime import UTC, datetime, timedelta

import time_machine

_AHEAD = timedelta(days=int(os.environ["DAYS_AHEAD"]))
_clock = time_machine.travel(datetime.now(UTC) + _AHEAD, tick=True).start()
# To the microsecond: what several processes write side by side is put in order by their clocks.
_late = (time_machine.escape_hatch.time.time_ns() - time.time_ns()) / 1e9 + _AHEAD.total_seconds()
_clock.shift(_late)
