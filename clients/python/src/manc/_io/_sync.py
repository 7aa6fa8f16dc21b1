"""Requests and WebSockets of the client for threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Sequence
from typing import TypeAlias, TypeVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from manc._core.effects import Closed, Request, Response
from manc._core.options import Options
from manc._io._settings import (
    CONNECT_ERRORS,
    BoundedBody,
    closed_of,
    connection_errors,
    http_options,
    socket_options,
    text_of,
)

T = TypeVar("T")

Stream: TypeAlias = Generator[T, None, None]
"""Items as they arrive: iterate over them, and `break` to stop. `close()` ends it at once."""


class ResponseStream:
    """A response that is being read."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks: Iterator[bytes] = response.iter_bytes()

    def read(self) -> bytes | None:
        """The next bytes; None at the end."""
        return next(self._chunks, None)

    def close(self) -> None:
        """Closes the connection, unless the response was read to its end."""
        self._response.close()


class Io:
    """One pool of connections."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._http = httpx.Client(**http_options(options))
        self.lock = threading.Lock()

    def send(self, request: Request) -> Response:
        """One request and its whole response."""
        with (
            connection_errors(self._options),
            self._http.stream(request.method, request.url, headers=request.headers, content=request.body) as response,
        ):
            return Response(response.status_code, response.headers, self._content(response))

    def open_stream(self, request: Request) -> Response:
        """One request. The body of a successful response is read later."""
        with connection_errors(self._options):
            built = self._http.build_request(request.method, request.url, headers=request.headers, content=request.body)
            response = self._http.send(built, stream=True)
            if response.status_code == 200:
                return Response(200, response.headers, b"", ResponseStream(response))
            try:
                return Response(response.status_code, response.headers, self._content(response))
            finally:
                response.close()

    def read_chunk(self, stream: ResponseStream) -> bytes | None:
        """The next bytes of a response; None at the end."""
        with connection_errors(self._options):
            return stream.read()

    def sleep(self, seconds: float) -> None:
        """Waits."""
        time.sleep(seconds)

    def connect(self, url: str, protocols: Sequence[str]) -> ClientConnection | None:
        """A WebSocket, or None."""
        subprotocols = [Subprotocol(each) for each in protocols]
        try:
            # From 17.1 on, a connection is used as a context manager. The transport closes it.
            connection = connect(url, subprotocols=subprotocols, **socket_options(self._options)).__enter__()
            # Its type is less exact before 17.
            assert isinstance(connection, ClientConnection)
            return connection
        except CONNECT_ERRORS:
            return None

    def receive(self, socket: ClientConnection, timeout_s: float) -> str | Closed | None:
        """The next message; None after this time without one."""
        try:
            return text_of(socket.recv(timeout=timeout_s))
        except TimeoutError:
            return None
        except ConnectionClosed as error:
            return closed_of(error)

    def send_text(self, socket: ClientConnection, text: str) -> None:
        """Sends a message, unless the socket is closed."""
        try:
            socket.send(text)
        except ConnectionClosed:
            # The next `receive` returns the code.
            return

    def close(self) -> None:
        """Closes all connections of requests."""
        self._http.close()

    def _content(self, response: httpx.Response) -> bytes:
        body = BoundedBody(self._options)
        for chunk in response.iter_bytes():
            body.add(chunk)
        return body.content()
