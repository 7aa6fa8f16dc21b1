"""Requests by operation, with token and idempotency key. Retries if that is safe."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any, TypeVar

from manc._core.backoff import backoff_s
from manc._core.effects import (
    ConnectionFailed,
    Emit,
    Flow,
    OpenStream,
    ReadChunk,
    Request,
    Response,
    Send,
    Sleep,
)
from manc._core.options import Options
from manc._core.routes import ROUTES
from manc._core.session import Session
from manc._core.wire import Query, after_in, body_of, parsed, parsed_list, query_text, target_of
from manc.errors import MancError, NotLoggedIn, Unreachable, refusal_of, seconds_of

T = TypeVar("T")

RETRIABLE_STATUSES = frozenset({429, 502, 503, 504})
"""Overloaded or unavailable: the controller or a proxy in front of it."""


class Core:
    """What a client does, without input and output."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.session = Session(options, lambda request: self._persist(request, is_safe=True))

    def call(
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
    ) -> Flow[T]:
        """One request. `bearer` replaces the token of the session: a setup or enrolment token."""
        response = yield from self._request(
            operation,
            params=params,
            query=query,
            body=body,
            form=form,
            bearer=bearer,
            idempotency_key=idempotency_key,
            is_read=is_read,
        )
        return parsed(reply, response.body)

    def pages(
        self,
        operation: str,
        item: type[Any],
        *,
        query: Query,
        params: Mapping[str, object] | None = None,
    ) -> Flow[None]:
        """Emits all items of a list. A page is requested when the iteration reaches it."""
        after = query.get("after")
        while True:
            response = yield from self._request(operation, params=params, query={**query, "after": after})
            yield Emit(parsed_list(item, response.body))
            after = after_in(response.headers.get("link"))
            if after is None:
                return

    def lines(
        self, operation: str, item: type[Any], *, query: Query, params: Mapping[str, object] | None = None
    ) -> Flow[None]:
        """Emits the items of an operation that answers with JSON lines, or its lines if the item is `str`."""

        def item_of(line: bytes) -> Any:
            return line.decode("utf-8").removesuffix("\r") if item is str else parsed(item, line)

        response = yield from self._request(operation, params=params, query=query, is_stream=True)
        rest = b""
        while True:
            try:
                chunk: bytes | None = yield ReadChunk(response.stream)
            except ConnectionFailed as error:
                raise Unreachable(
                    f"The response has ended early ({error.reason}).", "Start the export again."
                ) from error
            if chunk is None:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > self.options.max_response_bytes:
                raise MancError(
                    f"A line of the response is longer than {self.options.max_response_bytes} bytes.",
                    "Check the address, or set max_response_bytes.",
                )
            if lines:
                yield Emit([item_of(line) for line in lines if line])
        if rest:
            yield Emit([item_of(rest)])

    def _request(
        self,
        operation: str,
        *,
        params: Mapping[str, object] | None = None,
        query: Query | None = None,
        body: Any = None,
        form: Query | None = None,
        bearer: str | None = None,
        idempotency_key: str | None = None,
        is_read: bool = False,
        is_stream: bool = False,
    ) -> Flow[Response]:
        route = ROUTES[operation]
        headers: dict[str, str] = {}
        content: bytes | None = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = body_of(body)
        elif form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
            content = query_text(form).encode()
        # Generated once for all attempts of this request.
        if route.idempotent:
            headers["idempotency-key"] = idempotency_key or uuid.uuid4().hex
        url = self.options.url + target_of(route.path, params or {}, query or {})
        is_safe = is_read or route.idempotent or route.method in ("GET", "PUT")

        def send(token: str | None) -> Flow[Response]:
            authorization = {"authorization": f"Bearer {token}"} if token is not None else {}
            request = Request(route.method, url, {**headers, **authorization}, content)
            return self._persist(request, is_safe=is_safe, is_stream=is_stream)

        if bearer is not None or route.open:
            token = bearer
        else:
            token = yield from self.session.token()
        response = yield from send(token)
        if response.status == 200:
            return response
        refused = refusal_of(response.status, response.headers, response.body)
        if not isinstance(refused, NotLoggedIn) or token is None or bearer is not None:
            raise refused
        # The token was revoked: retry once with a new one.
        self.session.forget(token)
        if not self.session.can_renew:
            raise refused
        renewed = yield from self.session.token()
        again = yield from send(renewed)
        if again.status != 200:
            raise refusal_of(again.status, again.headers, again.body)
        return again

    def _persist(self, request: Request, *, is_safe: bool, is_stream: bool = False) -> Flow[Response]:
        """Sends with retries. A request that may already have taken effect is only repeated if that is safe."""
        until = time.monotonic() + self.options.retry_for_s
        attempt = 0
        while True:
            outcome = yield from self._once(request, is_stream)
            retry_after_s = _retry_after_of(outcome)
            is_limited = isinstance(outcome, Response) and outcome.status == 429
            may_repeat = retry_after_s is not None and (is_safe or is_limited)
            pause_s = max(backoff_s(attempt), retry_after_s or 0)
            if not may_repeat or time.monotonic() + pause_s > until:
                if isinstance(outcome, Unreachable):
                    raise outcome
                return outcome
            yield Sleep(pause_s)
            attempt += 1

    def _once(self, request: Request, is_stream: bool) -> Flow[Response | Unreachable]:
        try:
            response: Response = yield OpenStream(request) if is_stream else Send(request)
            return response
        except ConnectionFailed as error:
            unreachable = Unreachable(
                f"The controller at {self.options.origin} does not respond ({error.reason}).",
                error.tls_advice or "Check the address, and that it is running.",
                is_retriable=error.tls_advice is None,
            )
            unreachable.__cause__ = error
            return unreachable


def _retry_after_of(outcome: Response | Unreachable) -> float | None:
    """In seconds; None if a retry is of no use."""
    if isinstance(outcome, Unreachable):
        return 0 if outcome.is_retriable else None
    if outcome.status not in RETRIABLE_STATUSES:
        return None
    return seconds_of(outcome.headers.get("retry-after")) or 0
