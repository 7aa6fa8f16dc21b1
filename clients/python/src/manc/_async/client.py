"""The client of a controller."""

from __future__ import annotations

from types import TracebackType

from manc._async.commands import AsyncCommands
from manc._async.emulator import AsyncEmulator
from manc._async.fleet import AsyncFleet
from manc._async.prometheus import AsyncPrometheus
from manc._async.resources import AsyncResources
from manc._async.telemetry import AsyncTelemetry
from manc._async.transport import AsyncTransport
from manc._core.options import Credentials, KeptToken, OnToken, options_of


class AsyncManc(AsyncResources):
    """
    The client of a controller: one member for each resource of the API.

    What is not passed is read from the environment: MANC_URL, MANC_APP and MANC_KEY of an application or MANC_USERNAME
    and MANC_PASSWORD of a user, or MANC_TOKEN; MANC_CA_FILE, MANC_CERT_FILE and MANC_CLIENT_KEY_FILE.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        credentials: Credentials | None = None,
        token: KeptToken | None = None,
        on_token: OnToken | None = None,
        retry_for_s: float = 30,
        timeout_s: float = 60,
        max_response_bytes: int = 64 * 1024 * 1024,
        ca_file: str | None = None,
        cert_file: str | None = None,
        key_file: str | None = None,
    ) -> None:
        """
        `credentials`: with them the token is renewed automatically. `token`: one from an earlier login, used until it
        expires. `on_token` is called with every new token, for example to store it.

        `retry_for_s`: how long a request is retried if that is safe. `timeout_s`: how long one attempt waits for the
        controller. `ca_file`, `cert_file`, `key_file`: a private CA, and a client certificate, as PEM files.
        """
        transport = AsyncTransport(
            options_of(
                url,
                credentials=credentials,
                token=token,
                on_token=on_token,
                retry_for_s=retry_for_s,
                timeout_s=timeout_s,
                max_response_bytes=max_response_bytes,
                ca_file=ca_file,
                cert_file=cert_file,
                key_file=key_file,
            )
        )
        super().__init__(transport)
        self._transport = transport
        self.telemetry = AsyncTelemetry(transport)
        self.commands = AsyncCommands(transport)
        self.emulator = AsyncEmulator(transport)
        self.fleet = AsyncFleet(transport)
        self.prometheus = AsyncPrometheus(transport)

    async def __aenter__(self) -> AsyncManc:
        """For `with`: the connections are closed at the end of the block."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the connections. The session continues until its token expires."""
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def log_in(self, credentials: Credentials | None = None) -> None:
        """Logs in now, to check the credentials. Otherwise the first request logs in."""
        session = self._transport.core.session
        if credentials:
            session.use(credentials)
        await self._transport.run(session.token())

    async def renew_session(self) -> None:
        """Gets a new token of the user's session, without the password. Sessions have a maximum duration."""
        await self._transport.run(self._transport.core.session.renew())

    async def end_session(self) -> None:
        """Ends the session on the controller, and discards token and credentials."""
        await self._transport.run(self._transport.core.session.end())

    def log_out(self) -> None:
        """Discards token and credentials. The token stays valid until it expires."""
        self._transport.core.session.leave()
