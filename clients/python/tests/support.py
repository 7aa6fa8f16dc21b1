"""What tests share: the controller under test, and what only tests may do with it."""

from __future__ import annotations

import os
import re
import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

T = TypeVar("T")

URL = os.environ["MANC_TEST_URL"]
ADMIN = (os.environ["MANC_TEST_USERNAME"], os.environ["MANC_TEST_PASSWORD"])


class Support:
    """The interface of `npm run python` for tests."""

    def __init__(self) -> None:
        self._http = httpx.Client(base_url=os.environ["MANC_TEST_SUPPORT"], timeout=60)

    def setup_token(self) -> str:
        """With which the first administrator is created."""
        token: str = self._get("/setup-token")
        return token

    def mail_token(self, label: str, address: str, skip: int = 0) -> str:
        """The token in an e-mail to this address, after the first `skip` ones."""

        def find() -> str | None:
            texts: list[str] = self._get("/mails", to=address)
            found = re.search(rf"{label}: (\S+)", texts[skip]) if len(texts) > skip else None
            return found[1] if found else None

        return eventually(find)

    def sql(self, text: str, *values: object) -> list[dict[str, Any]]:
        """The rows of one statement."""
        rows: list[dict[str, Any]] = self._post("/sql", {"text": text, "values": values})
        return rows

    def start_emulator(self) -> None:
        """Its app has to be registered before."""
        self._post("/emulator")

    def kill_server(self) -> None:
        """Without a chance to close connections."""
        self._post("/server/kill")

    def start_server(self) -> None:
        """At the same address."""
        self._post("/server/start")

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def _get(self, path: str, **query: str) -> Any:
        response = self._http.get(path, params=query)
        assert response.status_code == 200, response.text
        return response.json()

    def _post(self, path: str, body: object = None) -> Any:
        response = self._http.post(path, json=body)
        assert response.status_code == 200, response.text
        return response.json()


def unique(prefix: str) -> str:
    """A name that no other test uses."""
    return f"{prefix}-{uuid.uuid4().hex[:8]}"


def eventually(read: Callable[[], T | None], timeout_s: float = 120) -> T:
    """The first value that is neither None nor False."""
    until = time.monotonic() + timeout_s
    while True:
        value = read()
        if value is not None and value is not False:
            return value
        assert time.monotonic() < until, "the condition did not become true"
        time.sleep(0.1)
