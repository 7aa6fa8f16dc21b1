"""Following an experiment."""

from __future__ import annotations

from manc import models
from manc._core.core import Core
from manc._core.effects import Emit, Flow, Sleep


def follow_experiment(core: Core, id: str, interval_s: float) -> Flow[None]:
    """Emits the experiment now and whenever its runs have progressed, until it has ended."""
    before: object = None
    while True:
        experiment = yield from core.call("getExperiment", models.ExperimentDetails, params={"id": id})
        has_ended = experiment.ended_at is not None
        if has_ended or experiment.run_list != before:
            yield Emit([experiment])
        if has_ended:
            return
        before = experiment.run_list
        yield Sleep(interval_s)
