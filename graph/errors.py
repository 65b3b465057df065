"""Every error the concierge raises, split by who must act.

    ConciergeError
    ├── SetupError              the person who runs the concierge must act
    │   ├── SettingsError       a setting is missing or wrong
    │   └── StorageError        the data directory or a database cannot be used
    │       └── StoreLockedError    another process has the embedded store open
    ├── RequestError            the caller must act
    │   ├── InvalidInputError   an argument is empty, too long or malformed
    │   ├── NotFoundError       the named thread, note or trip does not exist
    │   ├── AccessDeniedError   it exists and belongs to somebody else
    │   └── ConflictError       it was changed meanwhile; read it again
    └── ModelError              the chat model failed; the turn ends with a clear message

Every message says what happened and what to do about it.
"""

from __future__ import annotations

from typing import Literal

ModelFault = Literal["timeout", "unreachable", "auth", "rate_limited", "server", "empty", "invalid", "refused"]


class ConciergeError(Exception):
    """Base of the tree; catch it to catch all that the concierge raises on purpose."""


class SetupError(ConciergeError):
    """The person who runs the concierge must act."""


class SettingsError(SetupError):
    """A setting is missing or wrong; the message gives its name, its value and what is allowed."""


class StorageError(SetupError):
    """The data directory or a database in it cannot be used."""


class StoreLockedError(StorageError):
    """Another process has the embedded store open; the message names it."""


class RequestError(ConciergeError):
    """The caller must act."""


class InvalidInputError(RequestError):
    """An argument is empty, too long or malformed."""


class NotFoundError(RequestError):
    """The named thread, note or trip does not exist."""


class AccessDeniedError(RequestError):
    """The named thread, note or trip belongs to somebody else."""


class ConflictError(RequestError):
    """What the caller has read was changed meanwhile; read it again and retry."""


class ModelError(ConciergeError):
    """The chat model failed.

    `fault` says how, for the caller that decides what to tell the traveller.
    """

    def __init__(self, message: str, *, fault: ModelFault) -> None:
        super().__init__(message)
        self.fault: ModelFault = fault
