"""Commands to agents."""

from __future__ import annotations

from manc import models
from manc._async.resource import AsyncResource
from manc._async.running_job import AsyncRunningJob
from manc._core.jobs import command_news, many_news
from manc._core.wire import JsonObject
from manc._io._async import Stream
from manc.messages import CommandNews, ManyNews


class AsyncSentToMany(AsyncRunningJob[ManyNews]):
    """A command to many agents, in progress."""

    def __init__(self, accepted: models.CommandsAccepted, news: Stream[ManyNews]) -> None:
        super().__init__(accepted.job_number, news)
        self.agents = accepted.agents
        """Number of agents that receive it."""
        self.skipped = accepted.skipped
        """Number of selected agents that do not receive it."""


class AsyncCommands(AsyncResource):
    """Commands to one agent, or to many."""

    async def send(
        self, ap_id: str, command: str, *, idempotency_key: str | None = None
    ) -> AsyncRunningJob[CommandNews]:
        """Sends a command to one agent. `done()` raises if the agent did not execute it."""
        accepted = await self._transport.call(
            "sendCommand",
            models.JobAccepted,
            query={"agent_id": ap_id, "command": command},
            idempotency_key=idempotency_key,
        )
        news = self._transport.iterate(command_news(self._transport.core, accepted.job_number))
        return AsyncRunningJob(accepted.job_number, news)

    async def send_to_many(
        self,
        body: models.CommandToMany | JsonObject,
        *,
        idempotency_key: str | None = None,
    ) -> AsyncSentToMany:
        """Sends commands to many agents, as one job."""
        accepted = await self._transport.call(
            "sendCommands", models.CommandsAccepted, body=body, idempotency_key=idempotency_key
        )
        news = self._transport.iterate(many_news(self._transport.core, accepted.job_number))
        return AsyncSentToMany(accepted, news)
