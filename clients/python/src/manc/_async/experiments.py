"""Experiments: policies compared in simulated worlds."""

from __future__ import annotations

from typing import Literal

from manc import models
from manc._async.methods import AsyncExperimentsMethods
from manc._core.experiments import follow_experiment
from manc._io._async import Stream


class AsyncExperiments(AsyncExperimentsMethods):
    """Policies compared in simulated worlds, and what if."""

    async def get_run(self, id: str, run: int) -> models.ExperimentRunDetails:
        """A run of an experiment with its time series."""
        return await self._transport.call(
            "getExperimentRun", models.ExperimentRunDetails, params={"id": id, "run": run}
        )

    def export(self, id: str, *, what: Literal["runs", "series"] | None = None) -> Stream[str]:
        """The lines of a CSV document: one for each run, or with `series` one for each point in time of each run."""
        return self._transport.lines("exportExperiment", str, params={"id": id}, query={"what": what})

    def follow(self, id: str, *, interval_s: float = 1) -> Stream[models.ExperimentDetails]:
        """The experiment now and whenever its runs have progressed, until its end. The last one has the results."""
        return self._transport.iterate(follow_experiment(self._transport.core, id, interval_s))
