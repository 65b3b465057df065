"""Checks what callers pass: an argument of another type than is declared is an error that says what is expected."""

from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, isfunction, signature
from itertools import islice
from reprlib import repr as shortened
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from config.errors import InvalidInputError

C = TypeVar("C", bound=type)


def checked(cls: C) -> C:
    """Have each public method that a class defines check its arguments, and raise InvalidInputError for a wrong one."""
    for name, method in list(vars(cls).items()):
        if isfunction(method) and not name.startswith("_"):
            setattr(cls, name, _checking(method))
    return cls


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    taken = signature(method)
    named = [one for one in taken.parameters.values() if one.kind is not Parameter.VAR_POSITIONAL]
    hints = {one.name: one.annotation for one in islice(named, 1, None) if one.kind is not Parameter.VAR_KEYWORD}

    @cache  # built when it is first needed: some names are there for type checkers alone, as those that are returned
    def adapter(name: str) -> TypeAdapter[Any]:
        hint = hints[name]
        return TypeAdapter(eval(hint, method.__globals__) if isinstance(hint, str) else hint)

    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = taken.bind(*args, **kwargs).arguments
        for name in (name for name in hints if name in given):
            try:
                adapter(name).validate_python(given[name], strict=True)
            except ValidationError as error:
                wrong = error.errors()[0]
                raise InvalidInputError(f"{name} is {shortened(given[name])}: {wrong['msg']}.", field=name) from None
        return method(*args, **kwargs)

    return call
