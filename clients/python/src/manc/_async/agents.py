"""Agents."""

from __future__ import annotations

from manc import models
from manc._async.methods import AsyncAgentsMethods
from manc._core.jobs import requested_items
from manc._core.wire import JsonObject
from manc._io._async import Stream
from manc.messages import AgentReport


class AsyncAgents(AsyncAgentsMethods):
    """Access points and their configuration."""

    def report(self) -> Stream[AgentReport]:
        """All agents with their connection state, as a job: for very large fleets."""
        core = self._transport.core
        request = core.call("requestAllAgentsDetails", models.JobAccepted)
        return self._transport.iterate(requested_items(core, request, AgentReport))

    async def configuration(self, ap_id: str, version: int) -> models.ConfigurationVersionDetails:
        """One stored version of the configuration of an agent."""
        return await self._transport.call(
            "getAgentConfiguration",
            models.ConfigurationVersionDetails,
            params={"ap_id": ap_id, "version": version},
        )

    async def restore(self, ap_id: str, version: int) -> models.Agent:
        """Makes a stored version the configuration of the agent, as a new version."""
        stored = await self.configuration(ap_id, version)
        return await self.update(ap_id, {"configuration": stored.configuration})

    async def enrol(self, body: models.AgentCreate | JsonObject, enrolment_token: str) -> models.Agent:
        """Registers an agent with an enrolment token, without a session."""
        return await self._transport.call("createAgentPublic", models.Agent, body=body, bearer=enrolment_token)
