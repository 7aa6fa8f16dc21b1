"""Requests and responses as text, without a controller."""

from __future__ import annotations

import traceback
from datetime import datetime, timedelta, timezone

import pytest

from manc import MancError, models
from manc._core.wire import after_in, body_of, parsed, query_text, target_of
from manc.errors import Invalid, NotAllowed, Refused, refusal_of, seconds_of


def test_paths_and_queries_are_escaped_and_lists_are_repeated() -> None:
    target = target_of("/agents/{ap_id}/x", {"ap_id": "a/b c"}, {"kind": ["x", "y"], "none": None, "is": True})
    assert target == "/agents/a%2Fb%20c/x?kind=x&kind=y&is=true"
    at = datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2)))
    assert query_text({"from": at}) == "from=2026-01-02T01%3A00%3A00Z"


def test_members_of_a_model_that_were_not_set_are_not_sent() -> None:
    assert body_of(models.UserUpdate(roles=["user"])) == b'{"roles":["user"]}'
    assert body_of({"all": [models.UserUpdate(password=None)]}) == b'{"all":[{"password":null}]}'


def test_a_value_that_a_later_version_adds_is_accepted() -> None:
    done = parsed(models.Done, b'{"status": "success", "detail": "", "new": 1}')
    assert done.detail == ""
    counted = models.ViewCreate.model_validate({"name": "x", "columns": ["a-new-column"]})
    assert counted.columns == ["a-new-column"]


def test_a_response_that_is_not_from_a_controller_names_the_place_and_not_the_content() -> None:
    body = b'{"access_token": 5, "token_type": "secret"}'
    with pytest.raises(MancError, match=r"unexpected: access_token") as error:
        parsed(models.Token, body)
    # Also in tracebacks, which contain causes and contexts.
    assert "secret" not in "".join(traceback.format_exception(error.value))
    assert (error.value.__cause__, error.value.__context__) == (None, None)
    with pytest.raises(MancError, match="not from a controller"):
        parsed(models.Token, b"<html>")


@pytest.mark.parametrize(
    ("link", "after"),
    [
        (None, None),
        ('</api/v1/users/?limit=2&after=a%40b>; rel="next"', "a@b"),
        ('</api/v1/users/?limit=2>; rel="prev"', None),
    ],
)
def test_the_next_page_is_in_the_link_header(link: str | None, after: str | None) -> None:
    assert after_in(link) == after


def test_refusals_have_the_detail_of_the_controller_and_a_next_step() -> None:
    forbidden = refusal_of(403, {}, b'{"detail": "Not enough permissions"}')
    assert isinstance(forbidden, NotAllowed)
    assert str(forbidden) == "Not enough permissions. Ask an administrator for permission."
    explained = refusal_of(403, {}, b'{"detail": "Confirm the sign-up first."}')
    assert str(explained) == "Confirm the sign-up first."
    body = b'{"detail": [{"loc": ["body", "roles", 0], "msg": "is wrong", "type": "t"}]}'
    invalid = refusal_of(422, {}, body)
    assert isinstance(invalid, Invalid)
    assert str(invalid) == "roles.0: is wrong. Correct the request and send it again."
    odd = refusal_of(422, {}, b'{"detail": [{"loc": 5, "msg": "is odd"}, "text", null]}')
    assert [item.loc for item in odd.items] == [(), (), ()]
    proxy = refusal_of(502, {"retry-after": "3"}, b"<html>Bad gateway")
    assert (type(proxy), proxy.retry_after_s) == (Refused, 3)
    assert "Unexpected response: <html>Bad gateway" in str(proxy)


@pytest.mark.parametrize(
    ("header", "seconds"), [(None, None), ("2.5", 2.5), ("soon", None), ("-1", None), ("nan", None)]
)
def test_the_time_to_wait_is_a_number(header: str | None, seconds: float | None) -> None:
    assert seconds_of(header) == seconds
