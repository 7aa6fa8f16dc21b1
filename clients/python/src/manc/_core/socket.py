"""WebSockets: the messages of jobs and the stream of events, each message once, also after an outage."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import ValidationError

from manc._core.backoff import backoff_s
from manc._core.core import Core
from manc._core.effects import Closed, Connect, Disconnect, Emit, Flow, Handle, Receive, SendText, Sleep
from manc._core.wire import Query, query_text
from manc.errors import Refused, SocketClosed, Unreachable
from manc.messages import EventFrame, JobMessage

T = TypeVar("T")
Message = TypeVar("Message")

SOCKET_PATH = "/api/v1/ws"
EVENT_STREAM_PATH = "/api/v1/events/stream"

DONE = 1000
TOKEN_ENDED = 4003
RETRIABLE_CODES = frozenset({1001, 1005, 1006, 1011, 1012, TOKEN_ENDED, 4008, 4010})
"""After these codes the client reconnects; after any other it ends. 1001, 1005 and 1006 are those of RFC 6455."""

MAX_OUTAGE_S = 600.0
"""How long a stream retries while the controller is unreachable."""
MAX_REFUSED_UPGRADES = 8
MAX_SILENCE_S = 45.0
"""A connection can fail without a close frame: after this silence a new one is opened immediately."""


def protocols_of(access_token: str) -> list[str]:
    """The subprotocols that a client offers. The token is the last one."""
    return ["manc.v1", "bearer", access_token]


def receive(
    core: Core,
    *,
    path: Callable[[], str],
    parse: Callable[[str], Message | None],
    take: Callable[[Message, Handle], Flow[bool]],
    probe: Callable[[], Flow[Any]],
) -> Flow[None]:
    """
    The messages of one connection after the other, until the controller is done or `take` returns True.

    `path` is called for each connection: it says where to resume. `probe` is a request that is refused for the same
    reason as the connection.
    """
    received_at = time.monotonic()
    refusals = 0
    attempt = 0
    while True:
        token = yield from _unless_unavailable(core.session.token(), received_at)
        if token is None:
            yield Sleep(backoff_s(attempt))
            attempt += 1
            continue
        socket: Handle = yield Connect(_socket_url(core, path()), protocols_of(token))
        closed: Closed | None = Closed(1006, "")
        while socket is not None:
            received: str | Closed | None = yield Receive(socket, MAX_SILENCE_S)
            if not isinstance(received, str):
                closed = received
                break
            message = parse(received)
            if message is None:
                raise SocketClosed(1002, "This is not a controller. Check the address.")
            attempt = 0
            refusals = 0
            is_done = yield from take(message, socket)
            received_at = time.monotonic()
            if is_done:
                yield Disconnect(socket)
                return
        if socket is not None:
            yield Disconnect(socket)
            received_at = time.monotonic()
            if closed is None:
                attempt = 0
                continue
        if closed is None or closed.code == DONE:
            return
        if closed.code not in RETRIABLE_CODES:
            raise SocketClosed(closed.code, closed.reason or f"The socket was closed with the code {closed.code}.")
        if closed.code == TOKEN_ENDED:
            core.session.forget(token)
        if socket is None:
            # A refused upgrade has no reason. A request returns one: no such job, no valid token.
            answer = yield from _unless_unavailable(_answered(probe()), received_at)
            refusals = refusals + 1 if answer else 0
            if refusals >= MAX_REFUSED_UPGRADES:
                raise SocketClosed(
                    closed.code,
                    "The controller responds, but not on its WebSocket. Check that the reverse proxy in front of it "
                    "allows WebSockets.",
                )
        yield Sleep(backoff_s(attempt))
        attempt += 1


def read_job(core: Core, job_number: str, take: Callable[[JobMessage], Flow[None]], after: int = 0) -> Flow[None]:
    """The messages of a job, each exactly once and in order. Ends after the last message."""
    last = after

    def handle(message: JobMessage, socket: Handle) -> Flow[bool]:
        nonlocal last
        if 0 < message.seq <= last:
            return False
        yield from take(message)
        # The caller has processed it, so the controller may send more.
        if message.seq > 0:
            last = message.seq
            yield SendText(socket, json.dumps({"type": "ack", "seq": last}))
        return message.final

    yield from receive(
        core,
        path=lambda: f"{SOCKET_PATH}/{quote(job_number, safe='')}?after={last}",
        parse=_job_message_of,
        take=handle,
        probe=lambda: core.call("getJob", dict, params={"job_number": job_number}),
    )


def follow_events(
    core: Core,
    *,
    filters: Query,
    after: str | None,
    on_gap: Callable[[], None] | None,
    on_start: Callable[[], None] | None,
) -> Flow[None]:
    """Events as they happen, each once. After an outage it continues behind the last event."""
    position = after
    is_started = False

    def handle(frame: EventFrame, _socket: Handle) -> Flow[bool]:
        nonlocal position, is_started
        if frame.type == "start":
            if not frame.is_complete and on_gap:
                on_gap()
            if not is_started and on_start:
                on_start()
            is_started = True
        else:
            for event in frame.events:
                position = event.id
                yield Emit([event])
        position = frame.after
        return False

    yield from receive(
        core,
        path=lambda: f"{EVENT_STREAM_PATH}?{query_text({**filters, 'after': position})}",
        parse=_frame_of,
        take=handle,
        probe=lambda: core.call("listEvents", list, query={"limit": 1}),
    )


def _unless_unavailable(flow: Flow[T], received_at: float) -> Flow[T | None]:
    """None while the controller is unavailable. Raises after an outage of `MAX_OUTAGE_S`."""
    try:
        return (yield from flow)
    except (Unreachable, Refused) as error:
        is_unavailable = error.is_retriable if isinstance(error, Unreachable) else error.status >= 500
        if is_unavailable and time.monotonic() < received_at + MAX_OUTAGE_S:
            return None
        raise


def _answered(flow: Flow[Any]) -> Flow[bool]:
    yield from flow
    return True


def _socket_url(core: Core, path: str) -> str:
    # http becomes ws, https becomes wss.
    return f"ws{core.options.url.removeprefix('http')}{path}"


def _job_message_of(text: str) -> JobMessage | None:
    try:
        return JobMessage.model_validate_json(text)
    except ValidationError:
        return None


def _frame_of(text: str) -> EventFrame | None:
    try:
        return EventFrame.model_validate_json(text)
    except ValidationError:
        return None
