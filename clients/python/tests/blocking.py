"""The client for asyncio with the interface of the client for threads, so that one test is for both."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Generator
from typing import Any

from manc import AsyncManc, AsyncRunningJob
from manc._async.resource import AsyncResource

_WRAPPED = (AsyncManc, AsyncResource, AsyncRunningJob)


class Blocking:
    """Runs every coroutine of an object to its end."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return self._call_of(value) if inspect.ismethod(value) else self._wrap(value)

    def __iter__(self) -> Generator[Any, None, None]:
        return self._items(self._target.__aiter__())

    def _call_of(self, method: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            result = method(*args, **options)
            if inspect.isawaitable(result):
                result = self._loop.run_until_complete(_awaited(result))
            return self._wrap(result)

        return call

    def _wrap(self, value: Any) -> Any:
        if isinstance(value, AsyncGenerator):
            return self._items(value)
        return Blocking(value, self._loop) if isinstance(value, _WRAPPED) else value

    def _items(self, source: AsyncGenerator[Any, None]) -> Generator[Any, None, None]:
        try:
            while True:
                try:
                    yield self._loop.run_until_complete(_awaited(anext(source)))
                except StopAsyncIteration:
                    return
        finally:
            self._loop.run_until_complete(source.aclose())


async def _awaited(value: Any) -> Any:
    return await value
