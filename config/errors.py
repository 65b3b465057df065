"""Every error the concierge raises, split by who must act.

    ConciergeError
    ├── SetupError              the person who runs the concierge must act
    │   ├── SettingsError       a setting is missing or wrong
    │   └── StorageError        the data directory or a database cannot be used
    │       ├── StoreLockedError    another process has the embedded store open
    │       └── DamagedThreadError  what is kept of one thread can't be read
    ├── RequestError            the caller must act
    │   ├── InvalidInputError   an argument is empty, too long or malformed
    │   ├── NotFoundError       the named thread, note or trip does not exist
    │   ├── AccessDeniedError   it exists and belongs to somebody else
    │   ├── ConflictError       it was changed meanwhile; read it again
    │   └── TravelError         a trip can't be had as asked; the message tells a model what to ask or do instead
    │       ├── UnknownPlaceError       no such city or airport; near names are suggested
    │       ├── AmbiguousPlaceError     several places have the name
    │       ├── TravelDateError         dates in the wrong order, or too far ahead
    │       │   └── DateInPastError     a date that is over where the journey starts
    │       ├── NoServiceError          nothing is sold between these places or of this kind
    │       ├── SoldOutError            fewer are left than were asked for
    │       │   └── SeatTakenError      that very seat is not to be had
    │       ├── UnknownOfferError       an offer id that this provider never gave
    │       └── OfferExpiredError       the offer or the hold ran out; its price no longer holds
    └── ModelError              the chat model failed; the turn ends with a clear message

Every message says what happened and what to do about it.
"""

from typing import Literal

from config.redact import redact

ModelFault = Literal["timeout", "unreachable", "auth", "rate_limited", "server", "empty", "cut", "invalid", "refused"]


class ConciergeError(Exception):
    """Base of the tree; catch it to catch all that the concierge raises on purpose. No message shows a password."""

    def __str__(self) -> str:
        return redact(super().__str__())


class SetupError(ConciergeError):
    """The person who runs the concierge must act."""


class SettingsError(SetupError):
    """A setting is missing or wrong; the message gives its name, its value and what is allowed."""


class StorageError(SetupError):
    """The data directory or a database in it cannot be used."""


class StoreLockedError(StorageError):
    """Another process has the embedded store open; the message names it."""


class DamagedThreadError(StorageError):
    """What is kept of one thread can't be read; the message names it. Other threads and memory are whole."""


class RequestError(ConciergeError):
    """The caller must act.

    `field` is the path of what is wrong in what was given, and `code` a short name of what is wrong with it, for a form
    that says it in words of its own; either is empty where there is none.
    """

    def __init__(self, message: str = "", *, field: str = "", code: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code


class InvalidInputError(RequestError):
    """An argument is empty, too long or malformed."""


class NotFoundError(RequestError):
    """The named thread, note or trip does not exist."""


class AccessDeniedError(RequestError):
    """The named thread, note or trip belongs to somebody else."""


class ConflictError(RequestError):
    """What the caller has read was changed meanwhile; read it again and retry."""


class TravelError(RequestError):
    """A trip can't be had as asked. The message says why and what to ask or do instead, in words for a model."""


class UnknownPlaceError(TravelError):
    """No city or airport has this name.

    `suggestions` are names that are near to it, best first; often none.
    """

    def __init__(self, message: str, *, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class AmbiguousPlaceError(TravelError):
    """Several places have this name.

    `candidates` name each of them so that it is understood alone, as in "Portland, Maine, US".
    """

    def __init__(self, message: str, *, candidates: tuple[str, ...]) -> None:
        super().__init__(message)
        self.candidates = candidates


class TravelDateError(TravelError):
    """The dates are in the wrong order, or further ahead than anything is sold."""


class DateInPastError(TravelDateError):
    """A date that is already over where the journey starts."""


class NoServiceError(TravelError):
    """Nothing of this kind is sold there, on that day or at all."""


class SoldOutError(TravelError):
    """Fewer are left than were asked for."""


class SeatTakenError(SoldOutError):
    """That seat is taken, or the aircraft has no such seat."""


class UnknownOfferError(TravelError):
    """An offer id that this provider never gave out."""


class OfferExpiredError(TravelError):
    """The offer or the hold ran out, so its price no longer holds."""


class ModelError(ConciergeError):
    """The chat model failed.

    `fault` says how, for the caller that decides what to tell the traveller.
    """

    def __init__(self, message: str, *, fault: ModelFault) -> None:
        super().__init__(message)
        self.fault: ModelFault = fault
