"""The bearer token. Logs in when one is needed, and again before it expires."""

from __future__ import annotations

import time
from collections.abc import Callable
from urllib.parse import urlencode

from manc import models
from manc._core.effects import Exclusive, Flow, Request, Response
from manc._core.options import Credentials, KeptToken, Options
from manc._core.routes import ROUTES
from manc._core.wire import parsed
from manc.errors import MancError, SessionEnded, refusal_of

RENEW_AT = 0.2
"""A token is renewed when this share of its lifetime remains."""


class Session:
    """The token of one client."""

    def __init__(self, options: Options, send: Callable[[Request], Flow[Response]]) -> None:
        self._url = options.url
        self._send = send
        self._on_token = options.on_token
        self._credentials = options.credentials
        self._token = options.token
        self._renew_after = float("inf")

    @property
    def can_renew(self) -> bool:
        """Whether a refused token can be replaced by a new one."""
        return self._credentials is not None

    def token(self) -> Flow[str]:
        """The token for a request."""
        usable = self._usable()
        if usable is not None:
            return usable
        if self._credentials is None:
            raise SessionEnded(
                *(
                    ("The token has expired.", "Log in again.")
                    if self._token
                    else ("Log in first.", "Pass credentials or a token, or set MANC_APP and MANC_KEY.")
                )
            )
        # Concurrent callers share one login.
        accessed: str = yield Exclusive(self._log_in())
        return accessed

    def use(self, credentials: Credentials) -> None:
        """Replaces the caller."""
        self.leave()
        self._credentials = credentials

    def forget(self, access_token: str) -> None:
        """The controller has rejected this token."""
        if self._token and self._token.access_token == access_token:
            self._token = None

    def renew(self) -> Flow[None]:
        """Replaces the token by a new one of the same session."""
        access_token = yield from self.token()
        response = yield from self._send(self._request("renewToken", access_token))
        if response.status != 200:
            raise refusal_of(response.status, response.headers, response.body)
        renewed = parsed(models.Token, response.body)
        # Unless leave() or use() was called in the meantime.
        if self._token and self._token.access_token == access_token:
            self._keep(renewed)

    def end(self) -> Flow[None]:
        """Ends the session on the controller. Without a valid token there is none."""
        token = self._token
        self.leave()
        if token is None or token.expires_at <= time.time():
            return
        response = yield from self._send(self._request("endSession", token.access_token))
        if response.status not in (200, 401):
            raise refusal_of(response.status, response.headers, response.body)

    def leave(self) -> None:
        """Discards token and credentials."""
        self._credentials = None
        self._token = None

    def _usable(self) -> str | None:
        # Read once: another thread may replace it.
        token = self._token
        if token is None:
            return None
        until = min(self._renew_after, token.expires_at) if self.can_renew else token.expires_at
        return token.access_token if time.time() < until else None

    def _log_in(self) -> Flow[str]:
        # Another caller may have logged in while this one waited.
        usable = self._usable()
        if usable is not None:
            return usable
        credentials = self._credentials
        if credentials is None:
            raise SessionEnded("Logged out in the meantime.", "Log in again.")
        try:
            token = yield from self._request_token(credentials)
        except MancError:
            self._discard(credentials)
            raise
        is_current = self._credentials is credentials
        self._discard(credentials)
        # Unless use() or leave() was called in the meantime.
        if is_current:
            self._keep(token)
        return token.access_token

    def _discard(self, credentials: Credentials) -> None:
        if not credentials.keep_password and self._credentials is credentials:
            self._credentials = None

    def _request_token(self, credentials: Credentials) -> Flow[models.Token]:
        route = ROUTES["logIn"]
        form = urlencode({"username": credentials.username, "password": credentials.password})
        query = urlencode({"login_type": credentials.login_type})
        headers = {"content-type": "application/x-www-form-urlencoded"}
        request = Request(route.method, f"{self._url}{route.path}?{query}", headers, form.encode())
        response = yield from self._send(request)
        if response.status != 200:
            raise refusal_of(response.status, response.headers, response.body)
        return parsed(models.Token, response.body)

    def _keep(self, token: models.Token) -> None:
        now = time.time()
        self._token = KeptToken(token.access_token, now + token.expires_in)
        self._renew_after = now + token.expires_in * (1 - RENEW_AT)
        if self._on_token:
            self._on_token(self._token)

    def _request(self, operation: str, access_token: str) -> Request:
        route = ROUTES[operation]
        return Request(route.method, f"{self._url}{route.path}", {"authorization": f"Bearer {access_token}"})
