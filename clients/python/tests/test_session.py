"""Login, renewal and the end of sessions."""

from __future__ import annotations

import logging
import threading
import uuid

import pytest

from conftest import Open, Requests
from manc import Credentials, KeptToken, Manc, MancError, NotLoggedIn, SessionEnded
from support import URL, eventually, unique


def logins(requests: Requests) -> int:
    return sum(url.startswith(f"{URL}/api/v1/token/?") for _, url, _ in requests)


def test_a_client_logs_in_on_demand_and_again_before_the_token_expires(
    connect: Open, admin: Credentials, requests: Requests
) -> None:
    tokens: list[KeptToken] = []
    manc = connect(credentials=admin, on_token=tokens.append)
    assert manc.users.me().username == admin.username
    manc.fleet.summary()
    assert (len(tokens), logins(requests)) == (1, 1)

    def renewed() -> bool:
        manc.users.me()
        return len(tokens) == 2

    eventually(renewed)
    assert all(status == 200 for _, _, status in requests)


def test_threads_share_one_login(admin: Credentials, requests: Requests) -> None:
    with Manc(URL, credentials=admin) as manc:
        threads = [threading.Thread(target=manc.users.me) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(requests) == 6
    assert logins(requests) == 1


def test_a_client_logs_in_again_when_its_token_was_revoked(connect: Open, manc: Manc) -> None:
    username = f"{unique('person')}@manc.test"
    manc.users.create({"username": username, "password": "some-password", "roles": ["user"]})
    person = connect(credentials=Credentials(username, "some-password"))
    assert person.users.me().roles == "user"
    manc.users.update(username, {"roles": ["operator"]})
    eventually(lambda: person.users.me().roles == "operator")
    person.log_out()
    with pytest.raises(SessionEnded, match="Log in first"):
        person.users.me()


def test_an_existing_token_is_used_until_it_expires(connect: Open, admin: Credentials) -> None:
    tokens: list[KeptToken] = []
    connect(credentials=admin, on_token=tokens.append).log_in()
    kept = connect(token=tokens[0])
    assert kept.users.me().username == admin.username
    with pytest.raises(SessionEnded, match=r"The token has expired\. Log in again\."):
        connect(token=KeptToken(tokens[0].access_token, 0)).users.me()


def test_a_session_is_renewed_without_the_password(connect: Open, admin: Credentials) -> None:
    tokens: list[KeptToken] = []
    forgetful = Credentials(admin.username, admin.password, keep_password=False)
    manc = connect(credentials=forgetful, on_token=tokens.append)
    manc.log_in()
    manc.renew_session()
    assert len({token.access_token for token in tokens}) == 2
    manc.end_session()
    with pytest.raises(NotLoggedIn):
        connect(token=tokens[1]).users.me()


def test_the_key_of_an_application_is_read_from_the_environment(
    connect: Open, manc: Manc, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = unique("app")
    manc.apps.register({"app_name": name, "api_key": "a-long-key", "permissions": {"scopes": ["agents:read"]}})
    monkeypatch.setenv("MANC_URL", URL)
    monkeypatch.setenv("MANC_APP", name)
    with pytest.raises(MancError, match="MANC_KEY is not set"):
        Manc()
    monkeypatch.setenv("MANC_KEY", "a-long-key")
    with Manc() as app:
        assert app.fleet.summary().total >= 0
    assert connect(URL).fleet.summary().total >= 0


@pytest.mark.parametrize(
    "url",
    ["", "manc.example.org", "ftp://manc.example.org", "http://", "http://[::1", "http://manc:99999", "http://manc:x"],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(MancError, match=r"Pass url, or set MANC_URL|Use one like https://manc\.example\.org"):
        Manc(url)


def test_an_address_with_a_password_is_refused_without_showing_it() -> None:
    for url in ("https://name:secret@manc.example.org", "name:secret@manc.example.org"):
        with pytest.raises(MancError) as refused:
            Manc(url)
        assert "secret" not in str(refused.value)


def test_no_token_is_logged_also_by_a_program_that_logs_everything(
    connect: Open, admin: Credentials, caplog: pytest.LogCaptureFixture
) -> None:
    tokens: list[KeptToken] = []
    with caplog.at_level(logging.DEBUG):
        manc = connect(credentials=admin, on_token=tokens.append)
        number = str(uuid.uuid4())
        manc.callbacks.agent_data(number, [1])
        stream = manc.jobs.read(number)
        next(stream)
        stream.close()
    assert caplog.records
    assert tokens
    for secret in [admin.password, *(token.access_token for token in tokens)]:
        assert secret not in caplog.text


def test_no_secret_is_in_the_text_of_credentials_and_tokens() -> None:
    assert "secret" not in repr(Credentials("name", "secret"))
    assert "secret" not in repr(KeptToken("secret", 1))
