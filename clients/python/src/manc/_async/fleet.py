"""The fleet: all access points with position, state and health."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from manc import models
from manc._async.resource import AsyncResource
from manc._core.area import Box, fleet_filter
from manc._io._async import Stream

Emulated = Literal["own", "all", "none"]
Technology = Literal["5G", "WiFi", "LiFi", "other"]
AgentState = Literal["online", "stale", "offline"]
Health = Literal["bad", "degraded", "offline", "unknown", "good"]


class AsyncFleet(AsyncResource):
    """Emulated agents of other callers are left out, unless `emulated` is `all`."""

    async def summary(self, *, emulated: Emulated | None = None) -> models.FleetSummary:
        """Counts by technology, state and health. Can be polled once a second."""
        return await self._transport.call("getFleetSummary", models.FleetSummary, query={"emulated": emulated})

    async def figures(self, *, emulated: Emulated | None = None, loads: bool | None = None) -> models.FleetFigures:
        """Sums and averages of the current metrics by technology; with `loads` also the load of each agent."""
        return await self._transport.call(
            "getFleetFigures", models.FleetFigures, query={"emulated": emulated, "loads": loads}
        )

    async def trends(self, *, emulated: Emulated | None = None) -> models.FleetTrends:
        """Counts and sums of the last hour, one value a minute."""
        return await self._transport.call("getFleetTrends", models.FleetTrends, query={"emulated": emulated})

    async def map_layers(self) -> models.MapLayers:
        """What a map shows below the access points."""
        return await self._transport.call("getMapLayers", models.MapLayers)

    async def changes(self, after: str | None = None, *, emulated: Emulated | None = None) -> models.FleetChanges:
        """
        Changes since an earlier response: `after` is the `next` of that response.

        Without `after`, only the starting point is returned: request it before you read the list. If `is_complete` is
        False, read the list again. The cost does not depend on the size of the fleet.
        """
        return await self._transport.call(
            "getFleetChanges", models.FleetChanges, query={"after": after, "emulated": emulated}
        )

    def agents(
        self,
        *,
        ids: Sequence[str] | None = None,
        area: Box | None = None,
        unplaced: bool | None = None,
        technology: Sequence[Technology] | None = None,
        state: Sequence[AgentState] | None = None,
        health: Sequence[Health] | None = None,
        search: str | None = None,
        emulated: Emulated | None = None,
        sort: Literal["id", "health"] | None = None,
        page_size: int = 1000,
    ) -> Stream[models.FleetAgent]:
        """Ordered by id, unless `sort` is `health`. Read page by page while you iterate."""
        filters = fleet_filter(ids, area, unplaced, technology, state, health, search, emulated)
        return self._transport.pages(
            "listFleetAgents", models.FleetAgent, query={**filters, "sort": sort, "limit": page_size}
        )

    async def table(
        self,
        *,
        ids: Sequence[str] | None = None,
        area: Box | None = None,
        unplaced: bool | None = None,
        technology: Sequence[Technology] | None = None,
        state: Sequence[AgentState] | None = None,
        health: Sequence[Health] | None = None,
        search: str | None = None,
        emulated: Emulated | None = None,
        sort: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> models.FleetTable:
        """Rows of the table of access points, with their current metrics, and the number of all that match."""
        filters = fleet_filter(ids, area, unplaced, technology, state, health, search, emulated)
        return await self._transport.call(
            "getFleetTable",
            models.FleetTable,
            query={**filters, "sort": sort, "order": order, "offset": offset, "limit": limit},
        )

    async def cells(
        self,
        *,
        ids: Sequence[str] | None = None,
        area: Box | None = None,
        unplaced: bool | None = None,
        technology: Sequence[Technology] | None = None,
        state: Sequence[AgentState] | None = None,
        health: Sequence[Health] | None = None,
        search: str | None = None,
        emulated: Emulated | None = None,
        loads: bool | None = None,
    ) -> models.FleetCells:
        """For maps: agents one by one, or grouped in cells if they are many. With `loads` also their loads."""
        filters = fleet_filter(ids, area, unplaced, technology, state, health, search, emulated)
        return await self._transport.call("getFleetCells", models.FleetCells, query={**filters, "loads": loads})
