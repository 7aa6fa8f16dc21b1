"""Requests and WebSockets of the client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import TypeAlias, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
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

Stream: TypeAlias = AsyncGenerator[T, None]
"""Items as they arrive: iterate over them, and `break` to stop. `aclose()` ends it at once."""


class AsyncResponseStream:
    """A response that is being read."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._chunks: AsyncIterator[bytes] = response.aiter_bytes()

    async def read(self) -> bytes | None:
        """The next bytes; None at the end."""
        return await anext(self._chunks, None)

    async def close(self) -> None:
        """Closes the connection, unless the response was read to its end."""
        await self._response.aclose()


class AsyncIo:
    """One pool of connections."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._http = httpx.AsyncClient(**http_options(options))
        self.lock = asyncio.Lock()

    async def send(self, request: Request) -> Response:
        """One request and its whole response."""
        with connection_errors(self._options):
            async with self._http.stream(
                request.method, request.url, headers=request.headers, content=request.body
            ) as response:
                return Response(response.status_code, response.headers, await self._content(response))

    async def open_stream(self, request: Request) -> Response:
        """One request. The body of a successful response is read later."""
        with connection_errors(self._options):
            built = self._http.build_request(request.method, request.url, headers=request.headers, content=request.body)
            response = await self._http.send(built, stream=True)
            if response.status_code == 200:
                return Response(200, response.headers, b"", AsyncResponseStream(response))
            try:
                return Response(response.status_code, response.headers, await self._content(response))
            finally:
                await response.aclose()

    async def read_chunk(self, stream: AsyncResponseStream) -> bytes | None:
        """The next bytes of a response; None at the end."""
        with connection_errors(self._options):
            return await stream.read()

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)

    async def connect(self, url: str, protocols: Sequence[str]) -> ClientConnection | None:
        """A WebSocket, or None."""
        subprotocols = [Subprotocol(each) for each in protocols]
        try:
            return await connect(url, subprotocols=subprotocols, **socket_options(self._options))
        except CONNECT_ERRORS:
            return None

    async def receive(self, socket: ClientConnection, timeout_s: float) -> str | Closed | None:
        """The next message; None after this time without one."""
        try:
            return text_of(await asyncio.wait_for(socket.recv(), timeout_s))
        except asyncio.TimeoutError:
            return None
        except ConnectionClosed as error:
            return closed_of(error)

    async def send_text(self, socket: ClientConnection, text: str) -> None:
        """Sends a message, unless the socket is closed."""
        try:
            await socket.send(text)
        except ConnectionClosed:
            # The next `receive` returns the code.
            return

    async def close(self) -> None:
        """Closes all connections of requests."""
        await self._http.aclose()

    async def _content(self, response: httpx.Response) -> bytes:
        body = BoundedBody(self._options)
        async for chunk in response.aiter_bytes():
            body.add(chunk)
        return body.content()
