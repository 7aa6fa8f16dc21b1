"""What both files of this package use."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from manc._core.effects import Closed, ConnectionFailed
from manc._core.options import Options
from manc._core.tls_advice import tls_advice
from manc._version import VERSION
from manc.errors import MancError

USER_AGENT = f"manc-python/{VERSION}"

CONNECT_ERRORS = (OSError, TimeoutError, InvalidHandshake, InvalidURI, EOFError)
"""Of an attempt to open a WebSocket. The next request of the flow finds the reason."""

MAX_BUFFERED_MESSAGES = 64
"""Of a socket whose reader is slow. With more, the connection is not read: the controller waits, or skips samples."""
CLOSE_TIMEOUT_S = 2.0

_SOCKET_LOGGER = logging.getLogger("manc.socket")
# With DEBUG, websockets logs the headers of the handshake, one of which has the token. The root logger may have DEBUG.
_SOCKET_LOGGER.setLevel(logging.INFO)


def http_options(options: Options) -> dict[str, Any]:
    """Arguments of both clients of httpx. Certificates are always verified, and redirects are not followed."""
    return {
        "headers": {"user-agent": USER_AGENT},
        "timeout": options.timeout_s,
        # True without TLS: a proxy may have a certificate.
        "verify": options.ssl_context or True,
        "follow_redirects": False,
    }


def socket_options(options: Options) -> dict[str, Any]:
    """Arguments of both clients of websockets. Silence is noticed by the flow, not by pings."""
    return {
        "ssl": options.ssl_context,
        "open_timeout": options.timeout_s,
        "close_timeout": CLOSE_TIMEOUT_S,
        "ping_interval": None,
        "max_size": options.max_response_bytes,
        "max_queue": MAX_BUFFERED_MESSAGES,
        "user_agent_header": USER_AGENT,
        "logger": _SOCKET_LOGGER,
    }


@contextmanager
def connection_errors(options: Options) -> Iterator[None]:
    """Converts errors of httpx."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise ConnectionFailed(f"no response within {options.timeout_s:g} s") from error
    except httpx.HTTPError as error:
        raise ConnectionFailed(str(error) or type(error).__name__, tls_advice(error)) from error


class BoundedBody:
    """The body of a response, up to a number of bytes."""

    def __init__(self, options: Options) -> None:
        self._limit = options.max_response_bytes
        self._size = 0
        self._chunks: list[bytes] = []

    def add(self, chunk: bytes) -> None:
        """Raises if the body is too large."""
        self._size += len(chunk)
        if self._size > self._limit:
            raise MancError(
                f"The response is larger than {self._limit} bytes.",
                "Request less, for example with a smaller page_size, or set max_response_bytes.",
            )
        self._chunks.append(chunk)

    def content(self) -> bytes:
        """All bytes."""
        return b"".join(self._chunks)


def closed_of(error: ConnectionClosed) -> Closed:
    """The code and the reason that the server sent; 1006 without a close frame [RFC 6455, 7.1.5]."""
    return Closed(error.rcvd.code, error.rcvd.reason) if error.rcvd else Closed(1006, "")


def text_of(message: str | bytes) -> str:
    """The controller sends text only."""
    return message if isinstance(message, str) else message.decode("utf-8", "replace")
