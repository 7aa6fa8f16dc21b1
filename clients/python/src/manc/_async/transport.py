"""Performs what flows ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from manc._core.core import Core
from manc._core.effects import (
    Connect,
    Disconnect,
    Effect,
    Emit,
    Exclusive,
    Flow,
    OpenStream,
    ReadChunk,
    Receive,
    Send,
    SendText,
    Sleep,
)
from manc._core.options import Options
from manc._core.wire import Query
from manc._io._async import AsyncIo, Stream

T = TypeVar("T")


class AsyncTransport:
    """Runs the flows of one client."""

    def __init__(self, options: Options) -> None:
        self.core = Core(options)
        self._io = AsyncIo(options)

    async def call(
        self,
        operation: str,
        reply: type[T],
        *,
        params: Mapping[str, object] | None = None,
        query: Query | None = None,
        body: Any = None,
        form: Query | None = None,
        bearer: str | None = None,
        idempotency_key: str | None = None,
        is_read: bool = False,
    ) -> T:
        """One request by operation."""
        return await self.run(
            self.core.call(
                operation,
                reply,
                params=params,
                query=query,
                body=body,
                form=form,
                bearer=bearer,
                idempotency_key=idempotency_key,
                is_read=is_read,
            )
        )

    def pages(
        self,
        operation: str,
        item: type[T],
        *,
        query: Query,
        params: Mapping[str, object] | None = None,
    ) -> Stream[T]:
        """All items of a list."""
        return self.iterate(self.core.pages(operation, item, query=query, params=params))

    def lines(
        self, operation: str, item: type[T], *, query: Query, params: Mapping[str, object] | None = None
    ) -> Stream[T]:
        """All items of an operation that answers with JSON lines, or its lines if the item is `str`."""
        return self.iterate(self.core.lines(operation, item, query=query, params=params))

    async def run(self, flow: Flow[T]) -> T:
        """Performs the effects of a flow until it returns."""
        try:
            effect = next(flow)
            while True:
                try:
                    answer = await self._perform(effect)
                except Exception as error:
                    # The flow may handle it; otherwise it is raised here.
                    effect = flow.throw(error)
                else:
                    effect = flow.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result
        finally:
            flow.close()

    async def iterate(self, flow: Flow[None]) -> Stream[Any]:
        """The items that a flow emits. Connections that it has opened are closed with the iteration."""
        opened: list[Any] = []
        try:
            effect = next(flow)
            while True:
                if isinstance(effect, Emit):
                    for item in effect.items:
                        yield item
                    effect = flow.send(None)
                    continue
                try:
                    answer = await self._perform(effect)
                except Exception as error:
                    effect = flow.throw(error)
                    continue
                if isinstance(effect, Connect) and answer is not None:
                    opened.append(answer)
                if isinstance(effect, OpenStream) and answer.stream is not None:
                    opened.append(answer.stream)
                if isinstance(effect, Disconnect):
                    opened.remove(effect.socket)
                effect = flow.send(answer)
        except StopIteration:
            return
        finally:
            flow.close()
            for each in opened:
                await each.close()

    async def close(self) -> None:
        """Closes the connections. Streams close theirs when their iteration ends."""
        await self._io.close()

    async def _perform(self, effect: Effect) -> Any:
        result: Any
        match effect:
            case Send():
                result = await self._io.send(effect.request)
            case OpenStream():
                result = await self._io.open_stream(effect.request)
            case ReadChunk():
                result = await self._io.read_chunk(effect.stream)
            case Sleep():
                result = None
                await self._io.sleep(effect.seconds)
            case Exclusive():
                async with self._io.lock:
                    result = await self.run(effect.flow)
            case Connect():
                result = await self._io.connect(effect.url, effect.protocols)
            case Receive():
                result = await self._io.receive(effect.socket, effect.timeout_s)
            case SendText():
                result = None
                await self._io.send_text(effect.socket, effect.text)
            case Disconnect():
                result = None
                await effect.socket.close()
            case Emit():
                raise TypeError("Only iterate() runs flows that emit items.")
        return result
