"""Which requests are sent again, and when."""

from __future__ import annotations

import socket
import time

import pytest

from conftest import Open
from gateway import Gateway, first_of
from manc import Conflict, Credentials, Invalid, Manc, MancError, NotAllowed, NotFound, Unavailable, Unreachable
from manc._core.backoff import backoff_s
from support import URL, Support, unique


def test_a_post_without_an_idempotency_key_is_sent_once(connect: Open, admin: Credentials) -> None:
    route = "POST /api/v1/agents/"
    ap_id = unique("once")
    with Gateway(URL, first_of(route, 1)) as gateway:
        manc = connect(gateway.url, credentials=admin)
        with pytest.raises(Unavailable, match="Try again in a moment"):
            manc.agents.register({"ap_id": ap_id, "password": "p", "configuration": {}})
        assert gateway.passed_on.count(route) == 1
        # It was done, although the response was lost.
        assert manc.agents.get(ap_id).ap_id == ap_id


def test_a_delete_is_sent_once(connect: Open, admin: Credentials) -> None:
    ap_id = unique("removed")
    route = f"DELETE /api/v1/agents/{ap_id}"
    with Gateway(URL, first_of(route, 1)) as gateway:
        manc = connect(gateway.url, credentials=admin)
        manc.agents.register({"ap_id": ap_id, "password": "p", "configuration": {}})
        with pytest.raises(Unavailable):
            manc.agents.remove(ap_id)
        assert gateway.passed_on.count(route) == 1


def test_a_post_with_an_idempotency_key_is_repeated_and_takes_effect_once(
    connect: Open, admin: Credentials, support: Support
) -> None:
    ap_id = unique("repeated")
    route = "POST /api/v1/send_command"
    with Gateway(URL, first_of(route, 1)) as gateway:
        manc = connect(gateway.url, credentials=admin)
        manc.agents.register({"ap_id": ap_id, "password": "p", "configuration": {}})
        manc.commands.send(ap_id, "reboot")
        assert gateway.passed_on.count(route) == 2
    assert len(support.sql("select job_number from commands where ap_id = $1", ap_id)) == 1


def test_reads_are_repeated_after_the_time_that_the_controller_asks_for(connect: Open, admin: Credentials) -> None:
    route = "GET /api/v1/users/me"
    with Gateway(URL, first_of(route, 1), {"retry-after": "1"}) as gateway:
        manc = connect(gateway.url, credentials=admin)
        manc.log_in()
        began = time.monotonic()
        assert manc.users.me().username == admin.username
        assert time.monotonic() - began >= 1
        assert gateway.passed_on.count(route) == 2


def test_a_longer_time_than_requests_are_retried_is_an_error_at_once(connect: Open, admin: Credentials) -> None:
    with Gateway(URL, first_of("GET /api/v1/users/me", 1), {"retry-after": "60"}) as gateway:
        manc = connect(gateway.url, credentials=admin)
        with pytest.raises(Unavailable) as refused:
            manc.users.me()
        assert refused.value.retry_after_s == 60


def test_delays_double_and_differ() -> None:
    assert all(0.125 <= backoff_s(0) <= 0.25 for _ in range(100))
    assert all(1 <= backoff_s(3) <= 2 for _ in range(100))
    assert all(5 <= backoff_s(1000) <= 10 for _ in range(100))
    assert len({backoff_s(3) for _ in range(10)}) > 1


def test_a_controller_that_is_missing_is_unreachable(connect: Open, admin: Credentials) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(Unreachable, match="Check the address, and that it is running"):
            connect(url, credentials=admin, retry_for_s=0.3).users.me()


def test_a_response_has_a_maximum_size(connect: Open, admin: Credentials) -> None:
    manc = connect(credentials=admin, max_response_bytes=1000)
    with pytest.raises(MancError, match="The response is larger than 1000 bytes"):
        list(manc.alarms.rules())


def test_a_refusal_is_an_error_class_with_the_next_step(connect: Open, manc: Manc) -> None:
    username = f"{unique('operator')}@manc.test"
    manc.users.create({"username": username, "password": "some-password", "roles": ["operator"]})
    operator = connect(credentials=Credentials(username, "some-password"))
    with pytest.raises(NotFound) as missing:
        manc.agents.get("missing-agent")
    assert (missing.value.code, missing.value.status, missing.value.next_step) == ("not_found", 404, "Check the name.")
    ap_id = unique("twice")
    agent = {"ap_id": ap_id, "password": "p", "configuration": {}}
    manc.agents.register(agent)
    with pytest.raises(Conflict):
        manc.agents.register(agent)
    with pytest.raises(NotAllowed):
        operator.agents.remove(ap_id)
    with pytest.raises(Invalid) as invalid:
        manc.users.create({"username": "no-mail", "password": "short", "roles": []})
    assert [item.loc for item in invalid.value.items] == [("body", "username"), ("body", "password")]
    assert "password" in str(invalid.value)
