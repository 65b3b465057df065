"""The shape of the code: no import runs upwards or in a circle, and no file, folder or function is too long."""

from __future__ import annotations

from benchmarks.house import imports, shapes


def test_the_code_keeps_its_shape() -> None:
    assert {figure.name: figure.names for figure in (*imports(), *shapes()) if figure.names} == {}
