"""Errors of this library. Each has a `code`, and its text contains the next step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple


class ValidationItem(NamedTuple):
    """One invalid member of a request."""

    loc: tuple[str | int, ...]
    msg: str
    type: str


class MancError(Exception):
    """Base class of all errors of this library."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, next_step: str = "") -> None:
        super().__init__(f"{message} {next_step}".strip())
        self.message = message
        """What happened."""
        self.next_step = next_step
        """What to do about it; empty where the message says it."""


class Refused(MancError):
    """The controller refused the request."""

    code = "refused"

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        next_step: str = "",
        items: Sequence[ValidationItem] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(_sentence(detail), next_step)
        self.status = status
        self.detail = detail
        """The `detail` of the response."""
        self.items = tuple(items)
        """The invalid members of the request, of `Invalid`."""
        self.retry_after_s = retry_after_s
        """Value of the `Retry-After` header."""


class NotLoggedIn(Refused):
    """No valid credentials."""

    code = "not_logged_in"


class NotAllowed(Refused):
    """Not enough permissions."""

    code = "not_allowed"


class NotFound(Refused):
    """There is no such record."""

    code = "not_found"


class Conflict(Refused):
    """The request conflicts with a stored record."""

    code = "conflict"


class Invalid(Refused):
    """The request failed validation."""

    code = "invalid"


class TooManyRequests(Refused):
    """The `Retry-After` of the controller is longer than requests are retried."""

    code = "too_many_requests"


class Unavailable(Refused):
    """The controller or one of its engines is unavailable for longer than requests are retried."""

    code = "unavailable"


class SessionEnded(MancError):
    """There is no valid token, and there are no credentials to get one."""

    code = "session_ended"


class Unreachable(MancError):
    """No response."""

    code = "unreachable"

    def __init__(self, message: str, next_step: str = "", *, is_retriable: bool = True) -> None:
        super().__init__(message, next_step)
        self.is_retriable = is_retriable
        """False for errors of certificates, which a retry does not solve."""


class JobFailed(MancError):
    """The job ended without success."""

    code = "job_failed"

    def __init__(self, job_number: str, state: str, detail: str) -> None:
        super().__init__(detail)
        self.job_number = job_number
        self.state = state


class SocketClosed(MancError):
    """The socket was closed for good, for example because another client reads the job now."""

    code = "socket_closed"

    def __init__(self, close_code: int, message: str) -> None:
        super().__init__(message)
        self.close_code = close_code


_kinds: dict[int, tuple[type[Refused], str]] = {
    401: (NotLoggedIn, "Log in with a valid name and password."),
    403: (NotAllowed, "Ask an administrator for permission."),
    404: (NotFound, "Check the name."),
    409: (Conflict, ""),
    422: (Invalid, "Correct the request and send it again."),
    429: (TooManyRequests, "Wait a moment, then try again."),
    503: (Unavailable, "The controller is temporarily unavailable. Try again in a moment."),
}


def refusal_of(status: int, headers: Mapping[str, str], body: bytes) -> Refused:
    """The error for a response that is not 200."""
    detail = _detail_of(body)
    items = () if isinstance(detail, str) else tuple(_item_of(each) for each in detail)
    text = detail if isinstance(detail, str) else " ".join(_message_of(each) for each in items)
    kind, next_step = _kinds.get(status, (Refused, ""))
    # Other reasons for a 403 state the next step themselves.
    if status == 403 and text != "Not enough permissions":
        next_step = ""
    return kind(
        status,
        text,
        next_step=next_step,
        items=items,
        retry_after_s=seconds_of(headers.get("retry-after")),
    )


def seconds_of(header: str | None) -> float | None:
    """The value of a `Retry-After` header in seconds. Dates are not used by the controller."""
    try:
        seconds = float(header) if header is not None else None
    except ValueError:
        return None
    return seconds if seconds is not None and 0 <= seconds < float("inf") else None


def _detail_of(body: bytes) -> str | list[Any]:
    try:
        detail = json.loads(body)["detail"]
        if isinstance(detail, (str, list)):
            return detail
    except (ValueError, KeyError, TypeError):
        # Not a response of the controller, for example one of a proxy.
        pass
    return f"Unexpected response: {body[:200].decode('utf-8', 'replace')}"


def _item_of(item: Any) -> ValidationItem:
    parts = item if isinstance(item, dict) else {}
    loc = parts.get("loc")
    place = tuple(loc) if isinstance(loc, list) else ()
    return ValidationItem(place, str(parts.get("msg", item)), str(parts.get("type", "")))


def _message_of(item: ValidationItem) -> str:
    place = ".".join(str(part) for part in item.loc[1:] or item.loc)
    return _sentence(f"{place}: {item.msg}")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
