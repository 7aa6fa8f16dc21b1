"""The operations of the OpenAPI document, and which of them a request calls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

import httpx

from support import URL


def served_operations() -> dict[str, str]:
    """The id of each operation, by `METHOD /path`."""
    response = httpx.get(f"{URL}/openapi.json", timeout=60)
    assert response.status_code == 200
    return {
        f"{method.upper()} {path}": described["operationId"]
        for path, item in response.json()["paths"].items()
        for method, described in item.items()
    }


def called_operations(requests: Iterable[tuple[str, str, int]], served: dict[str, str]) -> set[str]:
    """The ids of the operations that these requests have called with success."""
    called = set()
    for method, url, status in requests:
        if status != 200:
            continue
        request = f"{method} {urlsplit(url).path}"
        matching = [operation for operation in served if re.fullmatch(_pattern_of(operation), request)]
        # `/users/me` also matches `/users/{username}`.
        called.add(served[min(matching, key=lambda operation: operation.count("{"))] if matching else request)
    return called


def _pattern_of(operation: str) -> str:
    parts = re.split(r"\{\w+\}", operation)
    return "[^/]+".join(re.escape(part) for part in parts)
