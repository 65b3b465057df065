"""A table of cases as one test, which prints its misses with a rate."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., Any]


def table(names: str | tuple[str, ...], rows: Iterable[Any], *, floor: float = 1.0) -> Callable[[Test], Test]:
    """Run a test on each row, like `pytest.mark.parametrize`, but as one test and on one set of fixtures.

    The test fails when the share of rows that hold is below `floor`; it then names the rows that do not, and why.
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
        others = [one for name, one in signature.parameters.items() if name not in named]
        vars(chosen)["__signature__"] = signature.replace(parameters=others)
        return chosen

    return decorated


def _miss(test: Test, case: dict[str, Any], fixtures: dict[str, Any]) -> str:
    """Return what went wrong with a case, empty where it holds."""
    try:
        test(**case, **fixtures)
    except Exception as error:
        return _told(case, error)
    return ""


async def _miss_async(test: Callable[..., Coroutine[Any, Any, None]], case: dict[str, Any], fixtures: Any) -> str:
    try:
        await test(**case, **fixtures)
    except Exception as error:
        return _told(case, error)
    return ""


def _told(case: dict[str, Any], error: Exception) -> str:
    values = ", ".join(f"{name}={value!r}" for name, value in case.items())
    return f"  {values}: {type(error).__name__}: {error}"
