from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, cast

import pytest

from blocking import Blocking
from manc import AsyncManc, Credentials, Manc, NotLoggedIn
from manc._core.effects import Request, Response
from manc._io._async import AsyncIo
from manc._io._sync import Io
from support import ADMIN, URL, Support


@pytest.fixture(scope="session")
def support() -> Iterator[Support]:
    opened = Support()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def admin(support: Support) -> Credentials:
    """The administrator, who is created with the setup token."""
    username, password = ADMIN
    user = {"username": username, "password": password, "roles": ["admin"]}
    # Suppressed if another run with the same controller has used the setup token.
    with Manc(URL, retry_for_s=60) as manc, suppress(NotLoggedIn):
        manc.users.create_first(user, support.setup_token())
    return Credentials(username, password)


@pytest.fixture(scope="session")
def emulator(admin: Credentials, support: Support) -> None:
    """Runs emulated networks."""
    with Manc(URL, credentials=admin) as manc:
        permissions = {"scopes": ["callbacks:post"]}
        manc.apps.register({"app_name": "emulator", "api_key": "a-key", "permissions": permissions})
    support.start_emulator()


Requests = list[tuple[str, str, int]]
"""Method, URL and status of each request."""


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Records the requests of both clients, and sends them as they are."""
    recorded: Requests = []
    # By their names: mypy does not know that one replaces the other.
    for name in ("send", "open_stream"):
        monkeypatch.setattr(Io, name, _recorded_sync(getattr(Io, name), recorded))
        monkeypatch.setattr(AsyncIo, name, _recorded_async(getattr(AsyncIo, name), recorded))
    return recorded


def _recorded_sync(send: Callable[[Io, Request], Response], recorded: Requests) -> Any:
    def record(io: Io, request: Request) -> Response:
        response = send(io, request)
        recorded.append((request.method, request.url, response.status))
        return response

    return record


def _recorded_async(send: Callable[[AsyncIo, Request], Any], recorded: Requests) -> Any:
    async def record(io: AsyncIo, request: Request) -> Response:
        response = cast(Response, await send(io, request))
        recorded.append((request.method, request.url, response.status))
        return response

    return record


Open = Callable[..., Manc]
"""Makes a client of one of the two kinds, with the arguments of `Manc`."""


@pytest.fixture(params=["threads", "asyncio"])
def connect(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Both kinds of clients, with the interface of the one for threads. They are closed after the test."""
    opened: list[Manc] = []
    loop = asyncio.new_event_loop() if request.param == "asyncio" else None

    def make(url: str = URL, **options: Any) -> Manc:
        client = Manc(url, **options) if loop is None else cast(Manc, Blocking(AsyncManc(url, **options), loop))
        opened.append(client)
        return client

    yield make
    for client in opened:
        if loop is None:
            client.close()
        else:
            cast(Any, client).aclose()
    if loop:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


@pytest.fixture
def manc(connect: Open, admin: Credentials) -> Manc:
    """A client of the administrator."""
    return connect(credentials=admin)
