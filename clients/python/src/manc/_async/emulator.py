"""Networks of emulated access points."""

from __future__ import annotations

from collections.abc import Sequence

from manc import models
from manc._async.resource import AsyncResource
from manc._async.running_job import AsyncRunningJob
from manc._core.jobs import items_of
from manc._core.wire import JsonObject
from manc._io._async import Stream
from manc.messages import EmulationNews


class AsyncEmulation(AsyncRunningJob[EmulationNews]):
    """A running emulation."""

    def __init__(self, accepted: models.EmulatorAccepted, news: Stream[EmulationNews]) -> None:
        super().__init__(accepted.job_number, news)
        self.agents = accepted.agents
        """Ids of its agents."""
        self.ends_at = accepted.ends_at
        """When the last of its agents stops."""
        self.detail = accepted.detail
        """Present if a duration was limited to the maximum of the caller."""


class AsyncEmulator(AsyncResource):
    """Emulations."""

    async def spin_up(
        self, specs: Sequence[models.EmulatorSpec | JsonObject], *, idempotency_key: str | None = None
    ) -> AsyncEmulation:
        """Starts an emulation. `done()` returns its summary after its end."""
        accepted = await self._transport.call(
            "spinUpEmulator",
            models.EmulatorAccepted,
            body={"emulators": specs},
            idempotency_key=idempotency_key,
        )
        news = self._transport.iterate(items_of(self._transport.core, accepted.job_number, EmulationNews))
        return AsyncEmulation(accepted, news)
