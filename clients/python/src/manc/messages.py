"""Messages of WebSockets, which the OpenAPI document does not describe: results of jobs, and events."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel

from manc.models import NetworkEvent


class JobMessage(BaseModel):
    """A message on the socket of a job."""

    type: Literal["result", "state", "live"] | str
    job_number: str
    seq: int
    """0: nothing to acknowledge, and nothing to resume."""
    final: bool
    data: Any = None
    skipped: int | None = None
    """Live samples that were left out before this."""


class JobNews(BaseModel):
    """The state of a job, in a message of the type `state`."""

    state: str
    detail: str | None = None
    progress: dict[str, int] | None = None


class HistoryPoint(BaseModel):
    """One value of the history of an agent."""

    time: datetime
    field: str
    value: float


class LiveSample(BaseModel):
    """One sample as it arrived."""

    agent_id: str
    time: datetime
    values: dict[str, float | str]


class CommandNews(BaseModel):
    """The state of a command, and at the end its result."""

    job_number: str
    agent_id: str
    command: str
    state: str
    result: Any = None
    detail: str | None = None


class CommandOutcome(BaseModel):
    """The outcome of one command to many, for one agent."""

    job_number: str
    agent_id: str
    state: str
    result: Any = None
    detail: str | None = None
    ended_at: datetime | None = None


class ManyNews(BaseModel):
    """Update of a command to many agents: the number of agents in each state, and finally all outcomes."""

    progress: dict[str, int] | None = None
    outcomes: list[CommandOutcome] | None = None


class TechnologyNews(BaseModel):
    """Access points of one technology in an emulation."""

    agents: int
    live: int


class EmulationNews(BaseModel):
    """The state of one part of an emulation. The last one describes the whole: `finished`, `stopped` or `failed`."""

    part: int | None = None
    emulator: str | None = None
    state: Literal["starting", "running", "finished", "stopped", "failed"] | str
    agents: int
    live: int
    technologies: dict[str, TechnologyNews] | None = None
    most_live: int | None = None
    failed: int
    time_to_full_s: float | None = None
    samples: int | None = None
    commands: int | None = None
    parts: int | None = None


class AgentReport(BaseModel):
    """An agent in the result of a request for all of them."""

    id: str
    ap_id: str
    configuration: dict[str, Any]
    onboard: bool
    online: bool


class EventFrame(BaseModel):
    """A message of the stream of events."""

    type: Literal["start", "events"]
    after: str
    """Where the stream continues."""
    is_complete: bool = True
    """False in a start frame if events after the requested one are missing."""
    events: list[NetworkEvent] = []
