"""Telemetry of agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Literal

from manc import models
from manc._async.resource import AsyncResource
from manc._core.frames import history_frame_of
from manc._core.jobs import requested_items
from manc._io._async import Stream
from manc.messages import HistoryPoint, LiveSample

if TYPE_CHECKING:
    import pandas


class AsyncTelemetry(AsyncResource):
    """Current metrics, history and live samples."""

    async def metrics(self, ap_id: str, *, window: int | str | None = None) -> models.AgentMetrics:
        """Metrics of an agent, with readable labels. `window`: minutes, or a text like `30s`, `1.5h`, `2 days`."""
        return await self._transport.call(
            "getAgentMetrics", models.AgentMetrics, query={"agent": ap_id, "window": window}
        )

    async def all(self, ap_id: str, *, window: int | str | None = None) -> models.AgentData:
        """All metrics of an agent."""
        return await self._transport.call("getAgentData", models.AgentData, query={"agent": ap_id, "window": window})

    async def chart(self, ap_id: str, metrics: Sequence[str], *, window: int | str | None = None) -> models.AgentSeries:
        """Selected metrics of an agent, for a chart. Can be polled once a second."""
        return await self._transport.call(
            "getAgentMultiMetricData",
            models.AgentSeries,
            query={"agent": ap_id, "metrics": metrics, "window": window},
        )

    async def series(
        self, ap_id: str, metrics: Sequence[str], *, from_: datetime, to: datetime | None = None
    ) -> models.TelemetrySeries:
        """Selected metrics of an agent in a period, for a chart: up to 2,000 points each, averaged if more."""
        return await self._transport.call(
            "getTelemetrySeries",
            models.TelemetrySeries,
            query={"agent": ap_id, "metrics": metrics, "from": from_, "to": to},
        )

    async def summary(
        self,
        metrics: Sequence[str],
        *,
        technology: Literal["5G", "WiFi", "LiFi", "other"] | None = None,
        agents: Sequence[str] | None = None,
        from_: datetime,
        to: datetime | None = None,
        step: int | None = None,
        emulated: Literal["own", "all", "none"] | None = None,
    ) -> models.TelemetrySummary:
        """Median and spread of metrics over the agents of a technology, or over agents by id. `step` is in seconds."""
        query = {
            "technology": technology,
            "agent": agents,
            "metrics": metrics,
            "from": from_,
            "to": to,
            "step": step,
            "emulated": emulated,
        }
        return await self._transport.call("getTelemetrySummary", models.TelemetrySummary, query=query)

    def history(self, ap_id: str, *, from_: datetime, to: datetime | None = None) -> Stream[HistoryPoint]:
        """All values of a period in chronological order, streamed. The default of `to` is now."""
        core = self._transport.core
        query = {"agent_id": ap_id, "start_time": from_, "end_time": to or datetime.now(timezone.utc)}
        request = core.call("requestAgentData", models.JobAccepted, query=query)
        return self._transport.iterate(requested_items(core, request, HistoryPoint))

    async def history_frame(self, ap_id: str, *, from_: datetime, to: datetime | None = None) -> pandas.DataFrame:
        """
        The history as a DataFrame of pandas: one row for each time (UTC), one column for each metric.

        Needs pandas: `pip install "manc-client[pandas]"`.
        """
        points = [point async for point in self.history(ap_id, from_=from_, to=to)]
        return history_frame_of(points)

    def watch(self, ap_ids: Sequence[str], *, on_skipped: Callable[[int], None] | None = None) -> Stream[LiveSample]:
        """
        Samples as they arrive, until the iteration stops.

        Samples of an outage are in the history only; so are samples that were skipped because the reader is too slow,
        whose number `on_skipped` gets.
        """
        core = self._transport.core
        request = core.call("subscribeAgentData", models.JobAccepted, query={"agent_id": ap_ids})
        return self._transport.iterate(requested_items(core, request, LiveSample, on_skipped))
