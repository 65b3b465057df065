"""Moves the clock of a Python process DAYS_AHEAD days forward. Python runs it if `tests/ahead` is on its path."""

import os
import time
from datetime import UTC, datetime, timedelta

import time_machine

_AHEAD = timedelta(days=int(os.environ["DAYS_AHEAD"]))
_clock = time_machine.travel(datetime.now(UTC) + _AHEAD, tick=True).start()
# Exact to the microsecond, as the clocks of several processes order their writes.
_drift = (time_machine.escape_hatch.time.time_ns() - time.time_ns()) / 1e9 + _AHEAD.total_seconds()
_clock.shift(_drift)
