"""Between Python values and what is sent: paths, queries, bodies and responses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from functools import lru_cache
from types import GenericAlias
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError

from manc.errors import MancError

T = TypeVar("T")

JsonObject: TypeAlias = Mapping[str, Any]
"""A body as a dictionary, in place of a model."""

Query: TypeAlias = Mapping[str, Any]
"""Query parameters by their names on the wire. None is left out; a sequence is repeated."""


def target_of(path: str, params: Mapping[str, object], query: Query) -> str:
    """Path and query of a request."""
    filled = re.sub(r"\{(\w+)\}", lambda found: quote(str(params[found[1]]), safe=""), path)
    search = query_text(query)
    return f"{filled}?{search}" if search else filled


def query_text(query: Query) -> str:
    """The query parameters as they are sent."""
    return urlencode([(name, _text_of(each)) for name, value in query.items() for each in _each_of(value)])


def _each_of(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [each for each in value if each is not None]
    return (value,)


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return moment(value)
    return str(value)


def moment(value: datetime) -> str:
    """RFC 3339 in UTC. A time without a zone is in the local zone, as everywhere in Python."""
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def body_of(value: Any) -> bytes:
    """A model, a dictionary or a list as JSON. Members of models that were not set are left out."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value


@lru_cache(maxsize=1024)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def parsed(kind: type[T], body: bytes | str) -> T:
    """A JSON text as a value of this type."""
    # Types are hashable, which mypy does not know of `type[T]`.
    key: Any = kind
    value: T = _validated(_adapter(key).validate_json, body)
    return value


def parsed_list(kind: type[T], body: bytes) -> list[T]:
    """A JSON text as a list of values of this type."""
    values: list[T] = _validated(_adapter(GenericAlias(list, (kind,))).validate_json, body)
    return values


def converted(kind: type[T], data: Any) -> T:
    """Parsed JSON as a value of this type."""
    key: Any = kind
    value: T = _validated(_adapter(key).validate_python, data)
    return value


def converted_list(kind: type[T], data: Any) -> list[T]:
    """Parsed JSON as a list of values of this type."""
    values: list[T] = _validated(_adapter(GenericAlias(list, (kind,))).validate_python, data)
    return values


def _validated(validate: Callable[[Any], Any], data: Any) -> Any:
    try:
        return validate(data)
    except ValidationError as error:
        unexpected = _unexpected(error)
    # Outside of the block: the error of pydantic contains the input, and would be in the traceback as the context.
    raise unexpected


def _unexpected(error: ValidationError) -> MancError:
    # The input may contain secrets: only the places are named.
    places = ", ".join(".".join(str(part) for part in each["loc"]) or "the whole" for each in error.errors()[:3])
    return MancError(
        f"The response is incomplete, or not from a controller of this version (unexpected: {places}).",
        "Check the address and the version of this library, and try again.",
    )


def after_in(link: str | None) -> str | None:
    """The parameter `after` of the next page, from a `Link` header; None for the last page."""
    found = re.search(r'<([^>]*)>;\s*rel="next"', link or "")
    if found is None:
        return None
    values = parse_qs(urlsplit(found[1]).query).get("after")
    return values[0] if values else None
