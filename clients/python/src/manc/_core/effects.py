"""What a flow can ask for. The transports of the two clients perform it and send the result back."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

Handle: TypeAlias = Any
"""A socket or a response that is being read. Only the transport knows what it is."""


@dataclass(frozen=True)
class Request:
    """An HTTP request. Headers and body are left out of its text: they contain secrets."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Response:
    """An HTTP response. The keys of the headers ignore case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    stream: Handle = None
    """The rest of the response, of `OpenStream`."""


class ConnectionFailed(Exception):
    """There is no complete response."""

    def __init__(self, reason: str, tls_advice: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.tls_advice = tls_advice


@dataclass(frozen=True)
class Closed:
    """The socket was closed, with this code and reason."""

    code: int
    reason: str


@dataclass(frozen=True)
class Send:
    """Sends a request. The result is a `Response`; raises `ConnectionFailed`."""

    request: Request


@dataclass(frozen=True)
class OpenStream:
    """As `Send`, but the body of a successful response is read later."""

    request: Request


@dataclass(frozen=True)
class ReadChunk:
    """The next bytes of a response, or None after its end. Raises `ConnectionFailed`."""

    stream: Handle


@dataclass(frozen=True)
class Sleep:
    """Waits."""

    seconds: float


@dataclass(frozen=True)
class Exclusive:
    """Runs a flow while no other `Exclusive` of this client runs. The result is that of the flow."""

    flow: Generator[Any, Any, Any]


@dataclass(frozen=True)
class Connect:
    """Opens a WebSocket. The result is its handle, or None if that failed."""

    url: str = field(repr=False)
    protocols: Sequence[str] = field(repr=False)


@dataclass(frozen=True)
class Receive:
    """The next message of a socket, `Closed`, or None after this time without a message."""

    socket: Handle
    timeout_s: float


@dataclass(frozen=True)
class SendText:
    """Sends a message, unless the socket is closed."""

    socket: Handle
    text: str


@dataclass(frozen=True)
class Disconnect:
    """Closes a socket."""

    socket: Handle


@dataclass(frozen=True)
class Emit:
    """Hands items to the caller. Continues when the caller has taken all of them and asks for the next."""

    items: Sequence[Any]


Effect: TypeAlias = Send | OpenStream | ReadChunk | Sleep | Exclusive | Connect | Receive | SendText | Disconnect | Emit

Flow: TypeAlias = Generator[Effect, Any, T]
"""Yields effects, gets their results, and returns a value."""
