"""Turns the clock of a Python process DAYS_AHEAD days on; Python runs it where `tests/ahead` is on its path."""

import os
from datetime import UTC, datetime, timedelta

import time_machine

time_machine.travel(datetime.now(UTC) + timedelta(days=int(os.environ["DAYS_AHEAD"])), tick=True).start()
