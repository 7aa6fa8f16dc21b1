"""Queries of the metrics store, in MetricsQL, which includes PromQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from manc import models
from manc._async.resource import AsyncResource
from manc._core.frames import prometheus_frame_of
from manc._core.wire import Query, query_text

if TYPE_CHECKING:
    import pandas

MAX_QUERY_LENGTH = 2000
"""A longer query is sent as a form: proxies limit the length of addresses."""


class AsyncPrometheus(AsyncResource):
    """The results are those of the HTTP API of Prometheus: `data` of its responses."""

    async def query(self, query: str, *, time: datetime | None = None, timeout: str | None = None) -> Any:
        """Evaluates an expression at one time; the default is now."""
        return await self._read("prometheusQuery", {"query": query, "time": time, "timeout": timeout})

    async def query_range(
        self,
        query: str,
        *,
        start: datetime,
        end: datetime,
        step: str | int,
        timeout: str | None = None,
    ) -> Any:
        """Evaluates an expression at each step of a period. `step`: seconds, or a duration such as `15s`."""
        return await self._read(
            "prometheusQueryRange",
            {"query": query, "start": start, "end": end, "step": step, "timeout": timeout},
        )

    async def query_frame(self, query: str, *, start: datetime, end: datetime, step: str | int) -> pandas.DataFrame:
        """As `query_range`, as a DataFrame of pandas: one row for each time (UTC), one column for each series."""
        return prometheus_frame_of(await self.query_range(query, start=start, end=end, step=step))

    async def series(
        self,
        match: Sequence[str],
        *,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Any:
        """Lists the series that match one of the selectors."""
        return await self._read("prometheusSeries", {"match[]": match, "start": start, "end": end, "limit": limit})

    async def labels(
        self,
        match: Sequence[str] | None = None,
        *,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Any:
        """Lists the names of labels."""
        return await self._read("prometheusLabels", {"match[]": match, "start": start, "end": end, "limit": limit})

    async def label_values(
        self,
        label: str,
        match: Sequence[str] | None = None,
        *,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Any:
        """Lists the values of a label."""
        result = await self._transport.call(
            "prometheusLabelValues",
            models.PrometheusResult,
            params={"label": label},
            query={"match[]": match, "start": start, "end": end, "limit": limit},
        )
        return result.data

    async def build_info(self) -> Any:
        """Reads the version of Prometheus that this interface corresponds to."""
        return (await self._transport.call("prometheusBuildInfo", models.PrometheusResult)).data

    async def metadata(self) -> Any:
        """Lists the types of metrics, of which there are none."""
        return (await self._transport.call("prometheusMetadata", models.PrometheusResult)).data

    async def _read(self, operation: str, query: Query) -> Any:
        if len(query_text(query)) <= MAX_QUERY_LENGTH:
            result = await self._transport.call(operation, models.PrometheusResult, query=query)
        else:
            result = await self._transport.call(f"{operation}Form", models.PrometheusResult, form=query, is_read=True)
        return result.data
