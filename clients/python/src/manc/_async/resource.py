"""A group of operations, as `manc.users`. Its subclasses are generated, some with hand-written methods added."""

from __future__ import annotations

from manc._async.transport import AsyncTransport


class AsyncResource:
    """Base class of all resources."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
