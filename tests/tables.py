"""Runs a table of cases as one test, which prints its rate and the failed cases."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., Any]


def table(names: str | tuple[str, ...], rows: Iterable[Any], *, floor: float = 1.0) -> Callable[[Test], Test]:
    """Run a test on each row, like `pytest.mark.parametrize`, but as one test with one set of fixtures.

    The test fails if the share of passing rows is below `floor`, and names the failing rows with their errors.
    """
    named = (names,) if isinstance(names, str) else names
    cases = [dict(zip(named, (row,) if isinstance(names, str) else row, strict=True)) for row in rows]

    def decorated(test: Test) -> Test:
        def judge(misses: list[str]) -> None:
            held = len(cases) - len(misses)
            rate = f"{test.__name__}: {held} of {len(cases)} hold ({held / len(cases):.1%}, at least {floor:.1%})"
            report = "\n".join([rate, *misses])
            print(report)
            assert held >= floor * len(cases), report

        @wraps(test)
        def run(**fixtures: Any) -> None:
            judge([miss for case in cases if (miss := _miss(test, case, fixtures))])

        @wraps(test)
        async def run_async(**fixtures: Any) -> None:
            judge([miss for case in cases if (miss := await _miss_async(test, case, fixtures))])

        chosen: Test = run_async if inspect.iscoroutinefunction(test) else run
        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in named]
        vars(chosen)["__signature__"] = signature.replace(parameters=others)
        return chosen

    return decorated


def _miss(test: Test, case: dict[str, Any], fixtures: dict[str, Any]) -> str:
    """Return the error of a case, or "" if it passes."""
    try:
        test(**case, **fixtures)
    except Exception as error:
        return _described(case, error)
    return ""


async def _miss_async(test: Callable[..., Coroutine[Any, Any, None]], case: dict[str, Any], fixtures: Any) -> str:
    try:
        await test(**case, **fixtures)
    except Exception as error:
        return _described(case, error)
    return ""


def _described(case: dict[str, Any], error: Exception) -> str:
    values = ", ".join(f"{name}={value!r}" for name, value in case.items())
    return f"  {values}: {type(error).__name__}: {error}"
