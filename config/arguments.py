"""Check the arguments of public methods at run time against their type annotations."""

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
    """Make each public method that a class defines raise InvalidInputError for an argument of the wrong type."""
    for name, method in list(vars(cls).items()):
        if isfunction(method) and not name.startswith("_"):
            setattr(cls, name, _checking(method))
    return cls


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    declared = signature(method)
    named = [each for each in declared.parameters.values() if each.kind is not Parameter.VAR_POSITIONAL]
    hints = {each.name: each.annotation for each in islice(named, 1, None) if each.kind is not Parameter.VAR_KEYWORD}

    @cache  # at first use: names that are imported under TYPE_CHECKING, as for return types, can't be evaluated
    def adapter(name: str) -> TypeAdapter[Any]:
        hint = hints[name]
        return TypeAdapter(eval(hint, method.__globals__) if isinstance(hint, str) else hint)

    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = declared.bind(*args, **kwargs).arguments
        for name in (name for name in hints if name in arguments):
            try:
                adapter(name).validate_python(arguments[name], strict=True)
            except ValidationError as error:
                message = f"{name} is {shortened(arguments[name])}: {error.errors()[0]['msg']}."
                raise InvalidInputError(message, field=name) from None
        return method(*args, **kwargs)

    return call
