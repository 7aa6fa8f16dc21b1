# Generated from docs/openapi.json by `npm run python -- models`. Do not edit.
"""Requests and responses. Values that a later version of the controller adds to a list of texts are accepted."""

from __future__ import annotations

from typing import Any, Literal
from pydantic import BaseModel, ConfigDict, Field
from datetime import datetime


class Agent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    ap_id: str
    """
    Identifier of the access point and key of its time series.
    """
    configuration: dict[str, Any]
    """
    Stored as sent, at most 64 KiB. Contains the geolocation.
    """


class AgentCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    password: str = Field(..., repr=False)
    configuration: dict[str, Any]
    """
    Stored as sent, at most 64 KiB. Contains the geolocation.
    """


class AgentDetails(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    ap_id: str
    """
    Identifier of the access point and key of its time series.
    """
    configuration: dict[str, Any]
    """
    Stored as sent, at most 64 KiB. Contains the geolocation.
    """
    onboard: bool
    """
    Whether the agent has sent an update itself.
    """


class AgentSuspension(BaseModel):
    """
    The newest one, for a day after its end.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    at: datetime
    reason: str


class AgentUpdate(BaseModel):
    """
    Absent and null mean unchanged; `configuration` is replaced as a whole.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    password: str | None = Field(None, repr=False)
    configuration: dict[str, Any] | None = None


class Alarm(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    rule_id: str
    rule: str
    """
    Name of the rule when the alarm was raised.
    """
    severity: Literal["info", "warning", "critical"] | str
    metric: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
            "expression",
            "presence",
        ]
        | str
    )
    ap_id: str
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    state: Literal["open", "cleared"] | str
    value: float | None
    raised_at: datetime
    cleared_at: datetime | None
    clear_reason: str | None
    is_flapping: bool
    """
    It was raised too often within an hour. It stays open until it is good for an hour.
    """
    is_inhibited: bool
    """
    It is not notified now, because another condition of the agent says more: `inhibited_by`.
    """
    inhibited_by: Literal["offline", "worse_alarm"] | str | None
    is_silenced: bool
    """
    It is not notified now, because of a silence.
    """
    silenced_until: datetime | None
    acknowledged_by: str | None
    acknowledged_at: datetime | None
    comment: str | None
    assignee: str | None


class Agent1(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    alarms: int
    minutes: int
    """
    For how long the condition held in these times.
    """


class AlarmPreview(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    from_: datetime = Field(..., alias="from")
    to: datetime
    alarms: int
    """
    How often the raise condition would have held for its duration.
    """
    agents: list[Agent1]
    """
    Agents with at least one alarm, those with most first. At most 100.
    """
    is_complete: bool
    """
    False if too many agents that match `ap_ids` fulfil the condition: some are not counted.
    """


class AlarmRule(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    severity: Literal["info", "warning", "critical"] | str
    metric: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
            "expression",
            "presence",
        ]
        | str
    )
    expr: str | None
    raise_op: Literal[">=", "<="] | str | None
    raise_threshold: float | None
    raise_for_s: int
    clear_threshold: float | None
    clear_for_s: int
    technologies: list[Literal["5G", "WiFi", "LiFi", "other"] | str]
    ap_ids: list[str]
    is_enabled: bool
    is_builtin: bool
    """
    Of a built-in rule only `is_enabled` can be changed. Create a rule from it to change more.
    """
    updated_at: datetime
    updated_by: str | None


class AlarmRuleCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    severity: Literal["info", "warning", "critical"] | str
    metric: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
            "expression",
            "presence",
        ]
        | str
    )
    """
    A KPI, `expression` for the value of `expr`, or `presence` for agents that are offline.
    """
    expr: str | None = None
    raise_op: Literal[">=", "<="] | str | None = None
    raise_threshold: float | None = None
    raise_for_s: int | None = 60
    """
    Seconds for which the condition holds before the alarm is raised.
    """
    clear_threshold: float | None = None
    clear_for_s: int | None = 60
    """
    Seconds for which the value is better before the alarm is cleared.
    """
    technologies: list[Literal["5G", "WiFi", "LiFi", "other"] | str] | None = []
    """
    Only agents of these technologies. Empty: all.
    """
    ap_ids: list[str] | None = []
    """
    Only agents whose id matches one of these patterns; `*` matches any characters. Empty: all.
    """
    is_enabled: bool | None = True


class Info(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    acknowledged: int
    """
    Without silenced and inhibited alarms.
    """
    unacknowledged: int
    """
    Without silenced and inhibited alarms.
    """
    silenced: int
    """
    Alarms of an active silence, acknowledged or not.
    """
    inhibited: int
    """
    Inhibited alarms that are not silenced, acknowledged or not.
    """


class Warning(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    acknowledged: int
    """
    Without silenced and inhibited alarms.
    """
    unacknowledged: int
    """
    Without silenced and inhibited alarms.
    """
    silenced: int
    """
    Alarms of an active silence, acknowledged or not.
    """
    inhibited: int
    """
    Inhibited alarms that are not silenced, acknowledged or not.
    """


class Critical(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    acknowledged: int
    """
    Without silenced and inhibited alarms.
    """
    unacknowledged: int
    """
    Without silenced and inhibited alarms.
    """
    silenced: int
    """
    Alarms of an active silence, acknowledged or not.
    """
    inhibited: int
    """
    Inhibited alarms that are not silenced, acknowledged or not.
    """


class AlarmSummary(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    info: Info
    warning: Warning
    critical: Critical


class AlarmsAcknowledged(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    acknowledged: int
    """
    How many alarms were acknowledged.
    """
    not_acknowledged: list[str]
    """
    Ids of the others: cleared in the meantime, or no alarm that the caller may see.
    """


class Area(BaseModel):
    """
    In degrees. `west` beyond `east` crosses the antimeridian.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    west: float
    south: float
    east: float
    north: float


class Attachment(BaseModel):
    """
    An attachment that has ended, with the last values of its link.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    since: datetime
    until: datetime
    from_ap_id: str | None
    ended: (
        Literal[
            "left", "moved", "dropped", "missing", "offline", "silent", "agent_removed"
        ]
        | str
    )
    """
    `left`: it went away. `moved`: to another access point. `dropped`: the connection was lost. `missing`: the access point stopped listing it. `offline`: the access point went offline. `silent`: the access point reported no clients for 90 s. `agent_removed`: the access point was removed.
    """
    signal_dbm: float | None
    snr_db: float | None
    rate_mbps: float | None


class AuditRecord(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    at: datetime
    actor_kind: str
    """
    For example `user`, `agent`, `third_party_app` or `settings`; the decision records list all kinds.
    """
    actor: str
    """
    Name of the caller, or its address if it has no name.
    """
    action: str
    target: str
    """
    Name of the changed resource.
    """
    detail: dict[str, Any]
    """
    The change, without passwords and keys; a command as it was sent.
    """
    request_id: str | None


class BusyAgent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    load_pct: float
    clients: float | None


class CallbackAccepted(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    status: str
    job_number: str
    delivered: bool
    """
    False: the result is kept for 24 hours until a WebSocket client connects.
    """
    detail: str


class ClientMeasurement(BaseModel):
    """
    The last one that was stored. There is no history of it.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    at: datetime
    """
    When the controller received it.
    """
    throughput_mbps: float | None
    heard: dict[str, Any]
    """
    Signals of access points that the client hears, by `ap_id`: RSRP of 5G and RSSI of WiFi in dBm, SNR of LiFi in dB. An app gets access points that its permissions cover.
    """


class CommandForAgent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    Id of the job. Ignore a command whose id was received before.
    """
    command: str
    expires_at: datetime
    """
    Do not execute the command after this time.
    """


class CommandToOne(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agent_id: str
    command: str


class CommandsAccepted(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    job_number: str
    """
    The result is delivered on the WebSocket `/api/v1/ws/{job_number}`, which is closed with 1000 when the job has ended and all is delivered. Without the subprotocol `manc.v1` it is closed with 1011 if the job has failed.
    """
    agents: int
    """
    Number of agents that receive the command.
    """
    skipped: int
    """
    Number of matching agents that do not receive it; the result has the reasons.
    """


class ConfigurationVersion(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    version: int
    """
    From 1, for each agent.
    """
    at: datetime
    """
    When it became the configuration of the agent.
    """
    author_kind: str | None
    author: str | None
    bytes: int
    current: bool
    """
    Whether it is the configuration of the agent now.
    """


class ConfigurationVersionDetails(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    version: int
    """
    From 1, for each agent.
    """
    at: datetime
    """
    When it became the configuration of the agent.
    """
    author_kind: str | None
    author: str | None
    bytes: int
    current: bool
    """
    Whether it is the configuration of the agent now.
    """
    configuration: dict[str, Any]
    """
    Stored as sent, at most 64 KiB. Contains the geolocation.
    """


class ObservedItem(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    kpi: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
        ]
        | str
    )
    value: float
    at: datetime


class ExpectedItem(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    kpi: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
        ]
        | str
    )
    from_: float | None = Field(..., alias="from")
    to: float


class DecisionCommand(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    command: str
    verdict: (
        Literal["granted", "held", "not_accepted", "no_agent", "not_sent"] | str | None
    )
    detail: str | None
    job_number: str | None
    state: (
        Literal[
            "queued",
            "running",
            "open",
            "sent",
            "delivered",
            "succeeded",
            "failed",
            "timed_out",
            "expired",
            "superseded",
            "skipped",
        ]
        | str
        | None
    )
    result: Any
    """
    What the access point has answered, of at most 2,000 characters; null without or before it.
    """
    ended_at: datetime | None


class DecisionCommandCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    command: str


class Done(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    status: str
    detail: str
    """
    Description of the result.
    """


class Emulation(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    job_number: str
    owner: str | None
    agents: int
    """
    Number of its agents. They count for the limits of the owner.
    """
    state: Literal["running", "ended"] | str
    """
    Its agents exist in both states, until `removed_at`.
    """
    started_at: datetime
    """
    Time of the request.
    """
    ends_at: datetime
    """
    When the last of its agents stops.
    """
    removed_at: datetime
    """
    When its agents are removed.
    """


class EmulatorAccepted(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    status: str
    job_number: str
    """
    The result is delivered on the WebSocket `/api/v1/ws/{job_number}`, which is closed with 1000 when the job has ended and all is delivered. Without the subprotocol `manc.v1` it is closed with 1011 if the job has failed.
    """
    agents: list[str]
    """
    Ids of the created agents.
    """
    ends_at: datetime | None = None
    """
    When the last of its agents stops. Missing if the emulation was removed already.
    """
    detail: str | None = None
    """
    Present if a `duration` was limited to the maximum of the caller.
    """


class ClientMix(BaseModel):
    """
    Weights of the kinds of traffic of its clients. The default is 0.5 web, 0.3 video, 0.1 call, 0.1 upload.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    web: float | None = None
    video: float | None = None
    call: float | None = None
    upload: float | None = None


class EmulatorSpec(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    access_point_type: str
    num_access_points: int
    """
    Number of access points of this type.
    """
    locations: list[str]
    """
    Assigned to the access points in turn: decimal degrees, degrees with minutes and seconds, a `geo:` URI, or the name of a place (`Bristol`, `Bristol, GB`).
    """
    num_devices: int
    """
    Number of client devices around each access point. They attach to any access point of the emulation that they can reach.
    """
    duration: int
    """
    Seconds from the time of the request. A longer duration than the maximum of the caller is limited to it, with a `detail` in the response.
    """
    scenario: (
        Literal[
            "daily",
            "steady",
            "rush_hour",
            "lifi_beam_blocked",
            "backhaul_cut",
            "access_point_failure",
        ]
        | str
        | None
    ) = None
    name: str | None = None
    """
    Names of the access points are this text and a number. Without it they have no names.
    """
    place: str | None = None
    """
    `place` in the configurations of the access points.
    """
    seed: str | None = None
    """
    The same seed gives the same places and the same behaviour. The default is the job number.
    """
    spread_m: float | None = None
    """
    Approximate distance between access points that share a location, in metres. The default depends on the technology.
    """
    mobility: Literal["sitting", "mixed", "walking"] | str | None = None
    """
    How much its clients move: `sitting` stays near its access point, `walking` mostly goes to others nearby. The default is `mixed`.
    """
    client_mix: ClientMix | None = None
    """
    Weights of the kinds of traffic of its clients. The default is 0.5 web, 0.3 video, 0.1 call, 0.1 upload.
    """
    room_m: float | None = None
    """
    Side of the square room of LiFi access points, which light does not leave. The default is 8 m.
    """
    floors: int | None = None
    """
    Access points are assigned to so many floors in turn. The default is 1.
    """


class EmulatorSpinupRequest(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    emulators: list[EmulatorSpec]


class EnrolmentToken(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    ap_id_pattern: str
    max_uses: int
    uses: int
    created_by: str
    created_at: datetime
    expires_at: datetime


class EnrolmentTokenCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id_pattern: str | None = "*"
    """
    Ids of agents that it may register; `*` matches any characters.
    """
    max_uses: int | None = 1
    expires_in: int | None = 86400
    """
    Seconds from now.
    """


class ExpectedEffect(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    kpi: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
        ]
        | str
    )
    from_: float | None = Field(..., alias="from")
    to: float
    """
    After them.
    """


class Command(BaseModel):
    """
    Of a what-if: what the policy `command` executes after two minutes.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    command: str


class ExperimentFigureSummary(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    mean: float | None
    interval: float | None
    median: float | None
    p5: float | None
    p95: float | None
    difference: float | None
    difference_interval: float | None


class ExperimentFigures(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    mean_mbps: float | None
    p5_mbps: float | None
    asked_p5_mbps: float | None
    short_s: float | None
    outage_s: float | None
    outage_predictable_s: float | None
    blockages: float | None
    predictable: float | None
    handovers: float | None
    ping_pongs: float | None
    kwh: float | None
    lifi_part: float | None
    refused: float | None


class ExperimentGroup(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    technology: Literal["5G", "WiFi", "LiFi"] | str
    count: int
    """
    Number of access points.
    """
    clients: int
    """
    Number of client devices around each of them.
    """
    spacing_m: float | None = None
    """
    Distance between neighbours. The default is 300 m for 5G, 18 m for WiFi and 6 m for LiFi.
    """
    east_m: float | None = None
    """
    The middle of the grid, east of the middle of the world. The default is 0.
    """
    north_m: float | None = None
    """
    The same for north.
    """
    room_m: float | None = None
    """
    Side of the square room of LiFi access points, which light does not leave. The default is 8 m.
    """
    mobility: Literal["sitting", "mixed", "walking"] | str | None = None
    """
    How much their clients move. The default is `mixed`.
    """


class ExperimentRun(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    run: int
    """
    Its number in the experiment, from 1 on.
    """
    policy: str
    seed: str
    state: Literal["waiting", "running", "finished", "failed", "cancelled"] | str
    progress_pct: int
    """
    Of the simulated time.
    """
    attempts: int
    """
    How often an emulator has begun it.
    """
    detail: str | None
    figures: ExperimentFigures | None


class ExperimentSeries(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    step_s: int
    """
    Simulated seconds that a point stands for.
    """
    s: list[float]
    """
    Simulated second at the end of the step, from the start of the world.
    """
    mean_mbps: list[float]
    """
    Mean throughput of the clients in the step in Mbit/s, 0 without clients.
    """
    p5_mbps: list[float]
    """
    Throughput in Mbit/s that 5 % of the clients were below, 0 without clients.
    """
    clients: list[float]
    """
    Number of attached clients at the end of the step.
    """
    handovers: list[float]
    """
    Moves to another access point in the step.
    """


class ClientMix1(BaseModel):
    """
    Of a world with `access_points`: weights of the kinds of traffic. The default is 0.6 video and 0.4 upload.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    web: float | None = None
    video: float | None = None
    call: float | None = None
    upload: float | None = None


class ExperimentWorld(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: (
        Literal["campus_day", "lecture_rush", "factory_hall", "stadium"] | str | None
    ) = None
    """
    A world that is known by name.
    """
    access_points: list[ExperimentGroup] | None = None
    """
    Instead of a name. At most 200 access points and 2000 clients.
    """
    scenario: (
        Literal[
            "daily",
            "steady",
            "rush_hour",
            "lifi_beam_blocked",
            "backhaul_cut",
            "access_point_failure",
        ]
        | str
        | None
    ) = None
    """
    Of a world with `access_points`: as in an emulation. The default is `steady`.
    """
    client_mix: ClientMix1 | None = None
    """
    Of a world with `access_points`: weights of the kinds of traffic. The default is 0.6 video and 0.4 upload.
    """


class FleetCell(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    latitude: float
    """
    Average of its agents.
    """
    longitude: float
    """
    Average of its agents.
    """
    agents: int
    """
    Number of agents.
    """
    technologies: list[int]
    """
    Number of agents by technology: 5G, WiFi, LiFi, other.
    """
    states: list[int]
    """
    Number of agents by state: online, stale, offline.
    """
    healths: list[int]
    """
    Number of agents by health: bad, degraded, offline, unknown, good.
    """
    loads: list[int] | None = None
    """
    Number of agents by load, in steps of 20 %; the last is of those without a value. Only with `loads=true`.
    """


class HealthCounts(BaseModel):
    """
    Number of agents by health. Their sum is `total`.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    good: int
    degraded: int
    bad: int
    unknown: int
    offline: int


class HealthReason(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    kpi: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
        ]
        | str
    )
    level: Literal["degraded", "bad"] | str
    value: float
    """
    When the KPI reached this level, in the unit of the KPI.
    """
    since: datetime
    """
    Time of the first sample at this level, by the clock of the agent.
    """


class Job(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    job_number: str
    kind: (
        Literal[
            "agent_details",
            "agent_data",
            "agent_live",
            "send_command",
            "send_commands",
            "emulator_spinup",
            "mailbox",
        ]
        | str
    )
    title: str
    """
    What it does and to which access points: `set_power 41 → 20 LiFi access points`.
    """
    agent_id: str | None
    state: (
        Literal[
            "queued",
            "running",
            "open",
            "sent",
            "delivered",
            "succeeded",
            "failed",
            "timed_out",
            "expired",
            "superseded",
            "skipped",
        ]
        | str
    )
    cancelled: bool
    """
    Its caller has cancelled it: a command is `skipped`, a request for data or details `failed`, and an emulation `succeeded` when it has stopped.
    """
    detail: str | None
    created_at: datetime
    ended_at: datetime | None
    last_seq: int
    """
    Number of messages for its socket so far.
    """
    read_seq: int
    """
    Number of delivered messages.
    """
    parent: str | None
    progress: dict[str, Any] | None


class JobAccepted(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    job_number: str
    """
    The result is delivered on the WebSocket `/api/v1/ws/{job_number}`, which is closed with 1000 when the job has ended and all is delivered. Without the subprotocol `manc.v1` it is closed with 1011 if the job has failed.
    """


class JobDetails(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    job_number: str
    kind: (
        Literal[
            "agent_details",
            "agent_data",
            "agent_live",
            "send_command",
            "send_commands",
            "emulator_spinup",
            "mailbox",
        ]
        | str
    )
    title: str
    """
    What it does and to which access points: `set_power 41 → 20 LiFi access points`.
    """
    agent_id: str | None
    state: (
        Literal[
            "queued",
            "running",
            "open",
            "sent",
            "delivered",
            "succeeded",
            "failed",
            "timed_out",
            "expired",
            "superseded",
            "skipped",
        ]
        | str
    )
    cancelled: bool
    """
    Its caller has cancelled it: a command is `skipped`, a request for data or details `failed`, and an emulation `succeeded` when it has stopped.
    """
    detail: str | None
    created_at: datetime
    ended_at: datetime | None
    last_seq: int
    """
    Number of messages for its socket so far.
    """
    read_seq: int
    """
    Number of delivered messages.
    """
    parent: str | None
    progress: dict[str, Any] | None
    request: dict[str, Any] | None


class JobResult(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    seq: int
    """
    Its number in the job, from 1.
    """
    type: Literal["result", "state"] | str
    """
    `result`: a part of the result. `state`: a change of the job.
    """
    final: bool
    """
    Whether it is the last one.
    """
    at: datetime
    expires_at: datetime
    """
    When it is deleted.
    """
    delivered: bool
    """
    Whether the socket has delivered it.
    """
    data: Any
    """
    As it was posted: an array, or an object for a state.
    """
    detail: str | None


class ListedApp(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    app_name: str
    permissions: dict[str, Any]
    """
    Recognised: `scopes` (exactly these), a scope or an operation with true or false, `agents` (`ap_id` globs, or true for all agents), `priority` (integer), `sandbox` (true: of these agents only emulated ones; change it to false to promote the app). Scopes of an app whose permissions name none, such as `{}`: `agents:read`, `metrics:read`, `history:read`, `commands:send` and `emulator:spinup`; with `MANC_APP_DEFAULT=none` none. Without `agents` it has access to all agents. One of these members with a value that cannot be understood is 422. Other members are stored and ignored; a `Warning` header of the response names them.
    """
    scopes: list[str]
    """
    The scopes that its permissions result in.
    """
    state: Literal["sandbox", "production"] | str
    """
    `sandbox`: its permissions restrict it to emulated agents.
    """


class LoginForm(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    grant_type: str | None = None
    username: str
    """
    The user name, the `ap_id` or the `app_name`.
    """
    password: str = Field(..., repr=False)
    """
    The password, or the `api_key` of an app.
    """
    scope: str | None = ""
    """
    Accepted and ignored.
    """
    client_id: str | None = None
    client_secret: str | None = Field(None, repr=False)


class MapLayers(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    tiles: str | None
    attribution: str | None
    geojson: Any


class MeasuredEffect(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    kpi: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
        ]
        | str
    )
    before: float | None
    after: float | None


class Metric(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    label: str
    """
    Readable name with the unit.
    """


class NetworkEvent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    Value of `after` for earlier events in lists, and for later ones in the stream.
    """
    at: datetime
    kind: str
    """
    For example `online` or `command`. Later versions have further kinds.
    """
    severity: Literal["info", "warning", "critical"] | str
    ap_id: str | None
    subject: str | None
    text: str
    """
    One sentence.
    """
    data: dict[str, Any]
    """
    Details, by kind.
    """


class NewEnrolmentToken(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    ap_id_pattern: str
    max_uses: int
    uses: int
    created_by: str
    created_at: datetime
    expires_at: datetime
    token: str = Field(..., repr=False)
    """
    Returned only once. Send it as the bearer token of `/agents/public`.
    """


class NotificationDelivery(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    Also the header `x-manc-delivery` of a webhook, of every attempt.
    """
    kind: Literal["alarms", "escalation", "test"] | str
    receiver_id: str
    receiver: str
    """
    Name of the receiver when the message was queued.
    """
    type: Literal["email", "webhook"] | str
    route_id: str | None
    route: str | None
    subject: str
    """
    One line. Subject of the e-mail.
    """
    raised: int
    """
    Number of alarms in it that are open.
    """
    cleared: int
    """
    Number of alarms in it that are cleared.
    """
    status: Literal["queued", "sent", "failed"] | str
    """
    `queued` until it is sent, or given up as `failed`.
    """
    attempts: int
    """
    Since it was created, or last sent again on request.
    """
    created_at: datetime
    next_attempt_at: datetime | None
    sent_at: datetime | None
    status_code: int | None
    error: str | None


class Alarm1(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    state: Literal["open", "cleared"] | str
    rule_id: str
    rule: str
    severity: Literal["info", "warning", "critical"] | str
    ap_id: str
    technology: str
    value: float | None
    is_flapping: bool
    raised_at: datetime
    cleared_at: datetime | None


class NotificationDeliveryDetail(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    Also the header `x-manc-delivery` of a webhook, of every attempt.
    """
    kind: Literal["alarms", "escalation", "test"] | str
    receiver_id: str
    receiver: str
    """
    Name of the receiver when the message was queued.
    """
    type: Literal["email", "webhook"] | str
    route_id: str | None
    route: str | None
    subject: str
    """
    One line. Subject of the e-mail.
    """
    raised: int
    """
    Number of alarms in it that are open.
    """
    cleared: int
    """
    Number of alarms in it that are cleared.
    """
    status: Literal["queued", "sent", "failed"] | str
    """
    `queued` until it is sent, or given up as `failed`.
    """
    attempts: int
    """
    Since it was created, or last sent again on request.
    """
    created_at: datetime
    next_attempt_at: datetime | None
    sent_at: datetime | None
    status_code: int | None
    error: str | None
    alarms: list[Alarm1]
    """
    At most 100; `raised` and `cleared` count all.
    """


class NotificationReceiver(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    type: Literal["email", "webhook"] | str
    addresses: list[str]
    """
    Empty for a webhook.
    """
    url: str | None
    is_enabled: bool
    """
    Nothing is sent to a receiver that is disabled.
    """
    updated_at: datetime
    updated_by: str


class NotificationReceiverCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    type: Literal["email", "webhook"] | str
    """
    Cannot be changed later.
    """
    addresses: list[str] | None = []
    """
    Of `email`: the recipients, at least one.
    """
    url: str | None = None
    is_enabled: bool | None = True


class NotificationReceiverWithSecret(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    type: Literal["email", "webhook"] | str
    addresses: list[str]
    """
    Empty for a webhook.
    """
    url: str | None
    is_enabled: bool
    """
    Nothing is sent to a receiver that is disabled.
    """
    updated_at: datetime
    updated_by: str
    secret: str | None = Field(..., repr=False)


class QuietHours(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    from_: str = Field(..., alias="from")
    to: str
    time_zone: str
    except_: list[Literal["info", "warning", "critical"] | str] = Field(
        ..., alias="except"
    )


class NotificationRoute(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    receiver_id: str
    severities: list[Literal["info", "warning", "critical"] | str]
    technologies: list[Literal["5G", "WiFi", "LiFi", "other"] | str]
    ap_ids: list[str]
    rule_ids: list[str]
    emulated: Literal["none", "all"] | str
    group_by: Literal["rule", "technology", "severity", "none"] | str
    group_wait_s: int
    group_interval_s: int
    notify_cleared: bool
    escalate_after_s: int | None
    escalate_to: str | None
    quiet_hours: QuietHours | None
    is_enabled: bool
    updated_at: datetime
    updated_by: str


class ObservedValue(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    kpi: (
        Literal[
            "clients",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "latency_ms",
            "packet_loss_pct",
            "load_pct",
            "signal_quality",
            "power_w",
            "energy_uj_per_bit",
            "handovers",
        ]
        | str
    )
    value: float
    at: datetime
    """
    Time of the sample.
    """


class PasswordRecoveryRequest(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    username: str


class PasswordReset(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    token: str = Field(..., repr=False)
    """
    Reset token from the e-mail.
    """
    new_password: str = Field(..., repr=False)


class Point(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ts: datetime
    value: float


class Position(BaseModel):
    """
    From `configuration.geolocation`.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    latitude: float
    longitude: float


class PrometheusInstantQuery(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    query: str
    """
    An expression in MetricsQL, which includes PromQL.
    """
    time: str | None = None
    """
    RFC 3339, or seconds since 1970 with decimals.
    """
    timeout: str | None = None
    """
    Seconds, or a duration such as `5s`. At most 10 s, the default.
    """


class PrometheusLabelsQuery(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    match__: list[str] | None = Field(None, alias="match[]")
    """
    Selectors of series, repeated.
    """
    start: str | None = None
    """
    RFC 3339, or seconds since 1970 with decimals.
    """
    end: str | None = None
    """
    RFC 3339, or seconds since 1970 with decimals.
    """
    limit: int | None = None
    """
    Of the results. At most 10,000, the default; 0 is the default as well.
    """


class PrometheusRangeQuery(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    query: str
    """
    An expression in MetricsQL, which includes PromQL.
    """
    start: str
    """
    RFC 3339, or seconds since 1970 with decimals.
    """
    end: str
    """
    The same.
    """
    step: str
    """
    Seconds, or a duration such as `15s`. At most 11,000 steps.
    """
    timeout: str | None = None
    """
    Seconds, or a duration such as `5s`. At most 10 s, the default.
    """


class PrometheusResult(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    status: str
    data: Any


class PrometheusSeriesQuery(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    match__: list[str] = Field(..., alias="match[]")
    """
    Selectors of series, repeated.
    """
    start: str | None = None
    """
    RFC 3339, or seconds since 1970 with decimals.
    """
    end: str | None = None
    """
    RFC 3339, or seconds since 1970 with decimals.
    """
    limit: int | None = None
    """
    Of the results. At most 10,000, the default; 0 is the default as well.
    """


class QuietHoursModel(BaseModel):
    """
    Other alarms wait until the end, and are left out if they are cleared by then.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    from_: str = Field(..., alias="from")
    """
    First minute, such as `22:00`.
    """
    to: str
    """
    First minute after them, such as `06:00`. May be on the next day.
    """
    time_zone: str
    """
    Of the IANA database, such as `Europe/London`.
    """
    except_: list[Literal["info", "warning", "critical"] | str] | None = Field(
        ["critical"], alias="except"
    )
    """
    Severities that are sent anyway.
    """


class Refusal(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    detail: str


class RejectedSamples(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    reason: str
    samples: int
    """
    Number of samples, or of messages where they were not read.
    """
    last_at: datetime


class RolloutAgent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    stage: int
    state: (
        Literal["pending", "applied", "unchanged", "failed", "undone", "skipped"] | str
    )
    detail: str | None
    version: int | None
    at: datetime | None


class RolloutCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agents: list[str] | None = None
    """
    Ids of agents.
    """
    technology: list[Literal["5G", "WiFi", "LiFi", "other"] | str] | None = None
    state: list[Literal["online", "stale", "offline"] | str] | None = None
    health: (
        list[Literal["bad", "degraded", "offline", "unknown", "good"] | str] | None
    ) = None
    search: str | None = None
    """
    Part of the id or name; case is ignored.
    """
    area: Area | None = None
    emulated: Literal["own", "all", "none"] | str | None = None
    """
    Emulated agents to include: `own` are those of your emulations, `all` also those of other callers. The default is `all` with `agents`, otherwise `own`.
    """
    change: dict[str, Any]
    """
    Members to set in each configuration, as a JSON merge patch (RFC 7396): `null` removes a member, and other members stay.
    """
    title: str | None = None
    wait_s: int | None = 60
    """
    Seconds to observe the access points of a stage before the next one begins.
    """
    max_failures: int | None = 0
    """
    The rollout stops when more access points than this have failed.
    """


class RolloutDifference(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    before: dict[str, Any]
    after: dict[str, Any]


class RolloutPreview(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agents: int
    """
    Number of access points that match.
    """
    unchanged: int
    """
    Number of those that have these values already.
    """
    unknown: int
    """
    Number of ids in `agents` without an access point that matches. They are ignored.
    """
    differences: list[RolloutDifference]
    """
    The members that change, of the first 500 access points, at most 1 MiB.
    """


class RolloutProgress(BaseModel):
    """
    Number of access points in each state.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    pending: int
    applied: int
    unchanged: int
    failed: int
    undone: int
    skipped: int


class RolloutSelection(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agents: list[str] | None = None
    """
    Ids of agents.
    """
    technology: list[Literal["5G", "WiFi", "LiFi", "other"] | str] | None = None
    state: list[Literal["online", "stale", "offline"] | str] | None = None
    health: (
        list[Literal["bad", "degraded", "offline", "unknown", "good"] | str] | None
    ) = None
    search: str | None = None
    """
    Part of the id or name; case is ignored.
    """
    area: Area | None = None
    emulated: Literal["own", "all", "none"] | str | None = None
    """
    Emulated agents to include: `own` are those of your emulations, `all` also those of other callers. The default is `all` with `agents`, otherwise `own`.
    """
    change: dict[str, Any]
    """
    Members to set in each configuration, as a JSON merge patch (RFC 7396): `null` removes a member, and other members stay.
    """


class Series(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    metric: str
    points: list[Point]


class Network(BaseModel):
    """
    Built from the network as it was at this time.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    access_points: int
    """
    Access points in the world.
    """
    left_out: int
    """
    Selected ones that are not: unknown, offline, without a position, or of another technology.
    """
    clients: int
    """
    Clients that were attached to them.
    """
    measured_clients: int | None = None
    """
    Those of which is known what they hear. With few of them, predictions are much less accurate.
    """
    at: datetime


class ShownExperimentWorld(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: (
        Literal["campus_day", "lecture_rush", "factory_hall", "stadium"] | str | None
    ) = None
    """
    A world that is known by name.
    """
    access_points: list[ExperimentGroup] | None = None
    """
    Instead of a name. At most 200 access points and 2000 clients.
    """
    scenario: (
        Literal[
            "daily",
            "steady",
            "rush_hour",
            "lifi_beam_blocked",
            "backhaul_cut",
            "access_point_failure",
        ]
        | str
        | None
    ) = None
    """
    Of a world with `access_points`: as in an emulation. The default is `steady`.
    """
    client_mix: ClientMix1 | None = None
    """
    Of a world with `access_points`: weights of the kinds of traffic. The default is 0.6 video and 0.4 upload.
    """
    network: Network | None = None
    """
    Built from the network as it was at this time.
    """


class SignInOptions(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    signup: Literal["open", "confirmed", "closed"] | str
    """
    `open`: anyone may sign up. `confirmed`: also, and confirms it with the link in an e-mail. `closed`: only administrators create accounts.
    """
    current_password: Literal["optional", "required"] | str
    """
    Whether a change of one's own password needs the password in use.
    """


class SignUpConfirmation(BaseModel):
    """
    The password is the one of the sign-up.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    token: str = Field(..., repr=False)
    """
    Confirmation token from the e-mail.
    """
    password: str = Field(..., repr=False)


class SilenceRecurrence(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    days: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"] | str]
    """
    Days of the week on which a window starts.
    """
    at: str
    """
    Local time at which a window starts, such as `02:00`.
    """
    duration_min: int
    """
    Elapsed minutes, also if the clock changes within the window. It may end on the next day.
    """
    time_zone: str
    """
    IANA time zone of `days` and `at`, such as `Europe/Berlin`.
    """


class SilenceUpdate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    comment: str | None = None
    """
    Why alarms are silenced.
    """
    ends_at: datetime | None = None


class Spread(BaseModel):
    """
    Over the agents, of the mean of each agent in the period.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agents: int
    """
    Number of agents that have values in the period.
    """
    min: float
    p10: float
    p50: float
    mean: float
    p90: float
    p95: float
    max: float


class Preference(BaseModel):
    """
    By how much throughput over a technology counts more than its figure.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    field_5G: float = Field(..., alias="5G")
    """
    5G
    """
    WiFi: float
    """
    WiFi
    """
    LiFi: float
    """
    LiFi
    """


class Guards(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    stay_s: int | None = None
    """
    A client stays at least so long.
    """
    moves_per_minute: int | None = None
    """
    Handover budget of a client.
    """
    refused_s: int | None = None
    """
    Rest after a refusal of a client.
    """
    min_gain: float | None = None
    """
    Hysteresis: a move must improve the throughput of the client by this part.
    """
    max_sleep_load: float | None = None
    """
    Those that stay awake must not have more load afterwards.
    """


class SteeringPolicy(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    about: str
    objective: Literal["throughput", "load"] | str
    """
    What moves of clients improve: throughput of clients, or the balance of loads.
    """
    fairness: float
    """
    Alpha of alpha-fairness (Mo and Walrand 2000): 0 is the sum, 1 proportional, 2 and more favour the worst-off.
    """
    preference: Preference
    """
    By how much throughput over a technology counts more than its figure.
    """
    outage_aversion: float
    """
    How much worse a second without connection is than a second without this throughput.
    """
    anticipate_blockages: bool
    """
    Move clients away from LiFi before a blockage that follows a known period.
    """
    sleep: bool
    """
    Put access points to sleep while others can carry their clients.
    """
    guards: Guards | None = None


class SummaryPoint(BaseModel):
    """
    Percentiles over the agents, of the mean of each agent in the step.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ts: datetime
    """
    Start of the step.
    """
    p10: float
    p50: float
    """
    The median.
    """
    p90: float


class SummarySeries(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    metric: str
    points: list[SummaryPoint]
    spread: Spread | None


class SystemPart(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    For example `rabbitmq` or `telemetry_queues`.
    """
    name: str
    """
    For people, for example `Telemetry queues`.
    """
    state: Literal["bad", "degraded", "unknown", "good"] | str
    reason: str
    """
    What was found, in a sentence or two.
    """
    next_step: str | None
    runbook: str | None
    since: datetime | None
    figures: dict[str, Any]
    """
    What the state was derived from.
    """


class SystemProcess(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    New with every start.
    """
    host: str
    roles: list[str]
    version: str
    started_at: datetime
    alive_at: datetime
    """
    Its last heartbeat.
    """
    is_alive: bool
    """
    False: it has ended without a shutdown, or cannot reach the database.
    """


class TechnologyCounts(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    total: int
    online: int
    stale: int
    offline: int
    health: HealthCounts


class TechnologyFigures(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    agents: int
    """
    Number of agents that sent any of these values within the last 30 s, or three of their intervals if these are longer.
    """
    clients: float | None
    throughput_mbps: float | None
    power_w: float | None
    load_pct: float | None
    latency_ms: float | None
    signal_quality: float | None
    busiest: list[BusyAgent]
    """
    Agents with the highest load, highest first; at most ten.
    """


class TechnologyTrends(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    online: list[float | None]
    """
    Number of agents that are online.
    """
    degraded: list[float | None]
    """
    Number of agents whose health is degraded.
    """
    bad: list[float | None]
    """
    Number of agents whose health is bad.
    """
    offline: list[float | None]
    """
    Number of agents that are offline.
    """
    clients: list[float | None]
    """
    Total.
    """
    throughput_mbps: list[float | None]
    """
    Total.
    """
    power_w: list[float | None]
    """
    Total.
    """


class TelemetrySeries(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agent_id: str
    """
    The `ap_id`.
    """
    from_: datetime = Field(..., alias="from")
    """
    Start of the period.
    """
    to: datetime
    """
    End of the period.
    """
    series: list[Series]


class TelemetrySummary(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    from_: datetime = Field(..., alias="from")
    """
    Start of the period.
    """
    to: datetime
    """
    End of the period.
    """
    step_s: int
    """
    Length of a step in seconds.
    """
    agents: int
    """
    Number of agents that match.
    """
    read: int
    """
    Number of these agents that were read. Fewer than `agents` if the period has too many samples: then they are chosen evenly.
    """
    series: list[SummarySeries]
    """
    In the order of the request. `spread` is null without values.
    """


class ThirdPartyApp(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    app_name: str
    api_key: str = Field(..., repr=False)
    permissions: dict[str, Any]
    """
    Recognised: `scopes` (exactly these), a scope or an operation with true or false, `agents` (`ap_id` globs, or true for all agents), `priority` (integer), `sandbox` (true: of these agents only emulated ones; change it to false to promote the app). Scopes of an app whose permissions name none, such as `{}`: `agents:read`, `metrics:read`, `history:read`, `commands:send` and `emulator:spinup`; with `MANC_APP_DEFAULT=none` none. Without `agents` it has access to all agents. One of these members with a value that cannot be understood is 422. Other members are stored and ignored; a `Warning` header of the response names them.
    """


class ThirdPartyAppCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    app_name: str
    api_key: str = Field(..., repr=False)
    permissions: dict[str, Any]
    """
    Recognised: `scopes` (exactly these), a scope or an operation with true or false, `agents` (`ap_id` globs, or true for all agents), `priority` (integer), `sandbox` (true: of these agents only emulated ones; change it to false to promote the app). Scopes of an app whose permissions name none, such as `{}`: `agents:read`, `metrics:read`, `history:read`, `commands:send` and `emulator:spinup`; with `MANC_APP_DEFAULT=none` none. Without `agents` it has access to all agents. One of these members with a value that cannot be understood is 422. Other members are stored and ignored; a `Warning` header of the response names them.
    """


class ThirdPartyAppUpdate(BaseModel):
    """
    Absent and null mean unchanged; `permissions` is replaced as a whole.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    api_key: str | None = Field(None, repr=False)
    permissions: dict[str, Any] | None = None


class Token(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    access_token: str = Field(..., repr=False)
    token_type: str
    """
    Always `bearer`.
    """
    expires_in: int
    """
    Seconds until the token expires.
    """


class TokenData(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    username: str | None = None
    roles: str
    """
    Roles, joined with `,`.
    """
    scopes: list[str] | None = []
    """
    Scopes that the roles grant.
    """


class UpdateAccepted(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    status: str
    detail: str
    """
    Description of the result.
    """
    accepted: int
    """
    Number of stored samples.
    """
    commands: list[CommandForAgent]
    """
    Pending commands for this agent.
    """


class UserCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    username: str
    password: str = Field(..., repr=False)
    roles: list[str]
    """
    `user`, `operator` and `admin` (also `administrator`) grant rights; any other value is a label.
    """


class UserRegister(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    username: str
    password: str = Field(..., repr=False)


class UserUpdate(BaseModel):
    """
    Absent and null mean unchanged.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    password: str | None = Field(None, repr=False)
    roles: list[str] | None = None
    current_password: str | None = Field(None, repr=False)


class ValidationError(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    loc: list[str | int]
    msg: str
    type: str


class ViewFilters(BaseModel):
    """
    As the query parameters of the table of agents.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    technology: list[Literal["5G", "WiFi", "LiFi", "other"] | str] | None = None
    state: list[Literal["online", "stale", "offline"] | str] | None = None
    health: (
        list[Literal["bad", "degraded", "offline", "unknown", "good"] | str] | None
    ) = None
    q: str | None = None
    """
    Part of the id or name.
    """
    emulated: Literal["own", "all", "none"] | str | None = None


class WhatIfCommand(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    command: str


class WhatIfCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str | None = None
    agents: list[str] | None = None
    """
    Only these access points.
    """
    area: Area | None = None
    technology: list[Literal["5G", "WiFi", "LiFi"] | str] | None = None
    emulated: Literal["own", "all", "none"] | str | None = None
    """
    Emulated agents to include: `own` are those of your emulations, `all` also those of other callers. The default is `all` with `agents`, otherwise `own`.
    """
    policy: (
        Literal[
            "none",
            "strongest",
            "usteer",
            "dawn",
            "best-experience",
            "load-balancing",
            "lifi-first",
            "energy-first",
        ]
        | str
        | None
    ) = None
    """
    What if this policy steered the clients?
    """
    document: SteeringPolicy | None = None
    command: WhatIfCommand | None = None
    horizon_s: int | None = 1800
    """
    Simulated seconds from now on.
    """
    seed: str | None = "what-if"
    repetitions: int | None = 5
    """
    Number of seeds. What the controller does not know, such as where clients walk, differs between them.
    """


class AgentData(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    key: str
    """
    The measurement, `agent/<ap_id>/data`.
    """
    agent_id: str
    """
    The `ap_id`.
    """
    window_minutes: int
    """
    The window in whole minutes, rounded up.
    """
    series: list[Series]


class AgentMetrics(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agent_id: str
    """
    The `ap_id`.
    """
    window_minutes: int
    """
    The window in whole minutes, rounded up.
    """
    metrics: list[Metric]


class AgentRejections(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    suspended_until: datetime | None
    last_suspension: AgentSuspension | None
    rejected: list[RejectedSamples]
    """
    What the agent sent and was not stored, by reason, newest first. A reason is listed for 30 days after its last sample.
    """


class AgentSeries(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agent_id: str
    """
    The `ap_id`.
    """
    window_minutes: int
    """
    The window in whole minutes, rounded up.
    """
    series: list[Series]


class Client(BaseModel):
    """
    `measurement` is there only with `measurements=true`.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    Pseudonym: a keyed hash of the name at the access point. The name itself with `MANC_CLIENT_IDS=clear`.
    """
    is_attached: bool
    ap_id: str
    """
    Access point that it is attached to, or was attached to last.
    """
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    since: datetime
    """
    Start of the attachment. Of a client that is not attached: when it ended.
    """
    from_ap_id: str | None
    signal_dbm: float | None
    snr_db: float | None
    rate_mbps: float | None
    ended: (
        Literal[
            "left", "moved", "dropped", "missing", "offline", "silent", "agent_removed"
        ]
        | str
        | None
    )
    measurement: ClientMeasurement | None = None


class ClientDetails(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    """
    Pseudonym: a keyed hash of the name at the access point. The name itself with `MANC_CLIENT_IDS=clear`.
    """
    is_attached: bool
    ap_id: str
    """
    Access point that it is attached to, or was attached to last.
    """
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    since: datetime
    """
    Start of the attachment. Of a client that is not attached: when it ended.
    """
    from_ap_id: str | None
    signal_dbm: float | None
    snr_db: float | None
    rate_mbps: float | None
    ended: (
        Literal[
            "left", "moved", "dropped", "missing", "offline", "silent", "agent_removed"
        ]
        | str
        | None
    )
    measurement: ClientMeasurement | None
    history: list[Attachment]
    """
    Attachments that have ended, newest first.
    """
    next: str | None


class CommandToMany(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    command: str | None = None
    """
    Required unless there are `commands`.
    """
    commands: list[CommandToOne] | None = None
    """
    The commands of one decision, instead of one command for a selection: all are sent, or none. No other member is allowed beside it.
    """
    agents: list[str] | None = None
    """
    Ids of agents.
    """
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str | None = None
    area: Area | None = None
    emulated: Literal["own", "all", "none"] | str | None = None
    """
    Emulated agents to include: `own` are those of your emulations, `all` also those of other callers. The default is `all` with `agents`, otherwise `own`.
    """


class Decision(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    owner: str
    """
    Name of the app, or of the user, that has decided.
    """
    owner_kind: Literal["app", "user"] | str
    policy: str
    mode: Literal["watch", "advise", "act"] | str
    state: (
        Literal[
            "recorded",
            "proposed",
            "rejected",
            "expired",
            "refused",
            "executed",
            "measured",
            "reverted",
        ]
        | str
    )
    reason: str
    client: str | None
    observed: list[ObservedItem]
    expected: list[ExpectedItem]
    commands: list[DecisionCommand]
    job_number: str | None
    measured: list[MeasuredEffect] | None
    reverts: str | None
    reverted_by: str | None
    created_at: datetime
    expires_at: datetime | None
    decided_by: str | None
    decided_at: datetime | None
    executed_at: datetime | None
    measure_at: datetime | None
    measured_at: datetime | None


class DecisionCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    policy: str
    """
    Name of the policy that the decision follows, such as `load-balancing`.
    """
    mode: Literal["watch", "advise", "act"] | str
    """
    `watch`: only recorded. `advise`: a person confirms or rejects it. `act`: its commands are sent at once.
    """
    reason: str
    """
    In words, for people.
    """
    client: str | None = None
    observed: list[ObservedValue] | None = Field([], validate_default=True)
    """
    The values that led to the decision.
    """
    expected: list[ExpectedEffect]
    """
    The controller measures these KPIs after the commands.
    """
    commands: list[DecisionCommandCreate] | None = Field([], validate_default=True)
    """
    Sent as one job: all of them, or none. Required in the modes `advise` and `act`.
    """
    expires_in_s: int | None = 600
    """
    A proposal that is neither confirmed nor rejected within this time expires.
    """
    reverts: str | None = None


class Experiment(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    kind: Literal["comparison", "what_if"] | str
    state: Literal["waiting", "running", "finished", "failed", "cancelled"] | str
    """
    `failed`: some of its runs have no result.
    """
    world: ShownExperimentWorld
    command: Command | None
    policies: list[str]
    """
    Names of all policies, in their order.
    """
    documents: list[SteeringPolicy]
    seed: str
    repetitions: int
    duration_s: int | None
    runs: int
    """
    Number of runs.
    """
    finished: int
    """
    Number of runs with a result.
    """
    failed: int
    """
    Number of runs that have failed.
    """
    owner: str
    """
    Name of the user or app that created it.
    """
    owner_kind: Literal["app", "user"] | str
    created_at: datetime
    ended_at: datetime | None
    expires_at: datetime
    """
    Runs that have no result by then fail: `MANC_EXPERIMENT_HOURS` after the request.
    """


class ExperimentCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    world: ExperimentWorld
    policies: (
        list[
            Literal[
                "none",
                "strongest",
                "usteer",
                "dawn",
                "best-experience",
                "load-balancing",
                "lifi-first",
                "energy-first",
            ]
            | str
        ]
        | None
    ) = []
    """
    Policies that are known by name. The first policy of all is what the others are compared with.
    """
    documents: list[SteeringPolicy] | None = Field([], validate_default=True)
    """
    Policies as documents, after those of `policies`. At most 8 in all, with different names.
    """
    seed: str | None = "run"
    """
    The seeds of the repetitions are this text with `-1`, `-2` and so on.
    """
    repetitions: int | None = 5
    """
    Number of seeds. Each policy runs once with each of them.
    """
    duration_s: int | None = None
    """
    Simulated seconds of a run. The default is 1800, of a named world its own time, which a smaller number shortens. At most 10000000 clients times seconds.
    """


class ExperimentFigureSummaries(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    mean_mbps: ExperimentFigureSummary
    p5_mbps: ExperimentFigureSummary
    asked_p5_mbps: ExperimentFigureSummary
    short_s: ExperimentFigureSummary
    outage_s: ExperimentFigureSummary
    outage_predictable_s: ExperimentFigureSummary
    blockages: ExperimentFigureSummary
    predictable: ExperimentFigureSummary
    handovers: ExperimentFigureSummary
    ping_pongs: ExperimentFigureSummary
    kwh: ExperimentFigureSummary
    lifi_part: ExperimentFigureSummary
    refused: ExperimentFigureSummary


class ExperimentResult(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    policy: str
    runs: int
    """
    Number of finished runs.
    """
    figures: ExperimentFigureSummaries


class ExperimentRunDetails(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    run: int
    """
    Its number in the experiment, from 1 on.
    """
    policy: str
    seed: str
    state: Literal["waiting", "running", "finished", "failed", "cancelled"] | str
    progress_pct: int
    """
    Of the simulated time.
    """
    attempts: int
    """
    How often an emulator has begun it.
    """
    detail: str | None
    figures: ExperimentFigures | None
    series: ExperimentSeries | None


class ExperimentRunResult(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    figures: ExperimentFigures
    series: ExperimentSeries


class FleetAgent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    name: str | None
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    state: Literal["online", "stale", "offline"] | str
    since: datetime
    """
    Start of the current state.
    """
    last_seen: datetime | None
    position: Position | None
    telemetry_interval_s: float
    """
    Expected interval between samples, from `configuration.telemetry_interval_s`.
    """
    health: Literal["bad", "degraded", "offline", "unknown", "good"] | str
    """
    Its worst KPI. `unknown` until one is received that has thresholds; `offline` if its state is. A level counts after 30 s (`MANC_HEALTH_SECONDS`). Missing samples do not change it.
    """
    health_since: datetime
    """
    Start of the current health.
    """
    reason: str | None
    reasons: list[HealthReason]
    """
    KPIs that are degraded or bad, the worst first. Empty unless the health is one of these.
    """


class FleetCellAgent(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    name: str | None
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    state: Literal["online", "stale", "offline"] | str
    health: Literal["bad", "degraded", "offline", "unknown", "good"] | str
    """
    Its worst KPI. `unknown` until one is received that has thresholds; `offline` if its state is. A level counts after 30 s (`MANC_HEALTH_SECONDS`). Missing samples do not change it.
    """
    position: Position | None
    load_pct: float | None = None


class FleetCells(BaseModel):
    """
    `area` has all of them; it is null if none has a position.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    total: int
    """
    Number of agents that match, with or without a position.
    """
    area: Area | None
    agents: list[FleetCellAgent]
    """
    Agents that match and have a position, if they are at most 2000.
    """
    cells: list[FleetCell]
    """
    Where there are more agents: their cells.
    """
    as_of: datetime
    """
    Time of the read.
    """


class FleetChanges(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agents: list[FleetAgent]
    """
    Agents that are new, or whose state, health, place or name changed. May include agents that did not change, or that an earlier response included.
    """
    removed: list[str]
    """
    Ids of removed agents.
    """
    is_complete: bool
    """
    False if changes are missing: read the whole list again, and continue from `next`.
    """
    next: str
    """
    Value of `after` for later changes.
    """


class FleetFigures(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    agents: int
    """
    Number of agents that sent any of these values within the last 30 s, or three of their intervals if these are longer.
    """
    clients: float | None
    throughput_mbps: float | None
    power_w: float | None
    load_pct: float | None
    latency_ms: float | None
    signal_quality: float | None
    busiest: list[BusyAgent]
    """
    Agents with the highest load, highest first; at most ten.
    """
    technologies: list[TechnologyFigures]
    """
    One entry for each technology, including those without agents.
    """
    loads: dict[str, Any] | None = None
    """
    `load_pct` of each agent that sent it, by `ap_id`. Only with `loads=true`.
    """
    as_of: datetime
    """
    Time of the read.
    """


class FleetSummary(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    total: int
    online: int
    stale: int
    offline: int
    health: HealthCounts
    technologies: list[TechnologyCounts]
    """
    One entry for each technology, including those without agents.
    """
    hidden_emulated: int
    """
    Number of emulated agents that `emulated` leaves out.
    """
    as_of: datetime | None


class FleetTableRow(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    ap_id: str
    name: str | None
    technology: Literal["5G", "WiFi", "LiFi", "other"] | str
    state: Literal["online", "stale", "offline"] | str
    since: datetime
    """
    Start of the current state.
    """
    last_seen: datetime | None
    position: Position | None
    telemetry_interval_s: float
    """
    Expected interval between samples, from `configuration.telemetry_interval_s`.
    """
    health: Literal["bad", "degraded", "offline", "unknown", "good"] | str
    """
    Its worst KPI. `unknown` until one is received that has thresholds; `offline` if its state is. A level counts after 30 s (`MANC_HEALTH_SECONDS`). Missing samples do not change it.
    """
    health_since: datetime
    """
    Start of the current health.
    """
    reason: str | None
    reasons: list[HealthReason]
    """
    KPIs that are degraded or bad, the worst first. Empty unless the health is one of these.
    """
    place: str | None
    version: str | None
    is_emulated: bool
    clients: float | None
    load_pct: float | None
    throughput_mbps: float | None
    throughput_down_mbps: float | None
    throughput_up_mbps: float | None
    packet_loss_pct: float | None
    latency_ms: float | None
    signal_quality: float | None
    power_w: float | None


class FleetTrends(BaseModel):
    """
    Each list has 60 values, the oldest first. A value is null if none was recorded.
    """

    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    from_: datetime = Field(..., alias="from")
    """
    Time of the first value of each list.
    """
    step_s: int
    """
    Seconds between the values.
    """
    online: list[float | None]
    """
    Number of agents that are online.
    """
    degraded: list[float | None]
    """
    Number of agents whose health is degraded.
    """
    bad: list[float | None]
    """
    Number of agents whose health is bad.
    """
    offline: list[float | None]
    """
    Number of agents that are offline.
    """
    clients: list[float | None]
    """
    Total.
    """
    throughput_mbps: list[float | None]
    """
    Total.
    """
    power_w: list[float | None]
    """
    Total.
    """
    technologies: list[TechnologyTrends]
    """
    One entry for each technology, including those without agents.
    """


class HTTPValidationError(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    detail: list[ValidationError]


class NotificationRouteCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    receiver_id: str
    severities: list[Literal["info", "warning", "critical"] | str] | None = []
    """
    Only these severities. Empty: all.
    """
    technologies: list[Literal["5G", "WiFi", "LiFi", "other"] | str] | None = []
    """
    Only agents of these technologies. Empty: all.
    """
    ap_ids: list[str] | None = []
    """
    Only agents whose id matches one of these patterns; `*` matches any characters. Empty: all.
    """
    rule_ids: list[str] | None = []
    """
    Only alarms of these rules. Empty: all.
    """
    emulated: Literal["none", "all"] | str | None = "none"
    """
    Whether alarms of emulated agents are notified too.
    """
    group_by: Literal["rule", "technology", "severity", "none"] | str | None = "rule"
    """
    Which alarms share a message: those of one rule, technology or severity; with `none` all of the route.
    """
    group_wait_s: int | None = 10
    """
    Seconds for which the first alarm of a group waits for others.
    """
    group_interval_s: int | None = 300
    """
    Minimum number of seconds between two messages of a group.
    """
    notify_cleared: bool | None = True
    """
    Whether a message is also sent when notified alarms are cleared.
    """
    escalate_after_s: int | None = None
    escalate_to: str | None = None
    quiet_hours: QuietHoursModel | None = None
    is_enabled: bool | None = True


class Rollout(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    title: str
    state: (
        Literal["running", "paused", "stopped", "completed", "undoing", "undone"] | str
    )
    detail: str | None
    change: dict[str, Any]
    agents: int
    """
    Number of access points.
    """
    stage: int
    """
    1: one access point. 2: 10 %. 3: all.
    """
    next_at: datetime | None
    wait_s: int
    max_failures: int
    progress: RolloutProgress
    owner: str
    """
    The user who started, resumed or undid it last. It is done in the name of this user.
    """
    created_by: str
    created_at: datetime
    changed_at: datetime
    """
    When it got its state.
    """


class Silence(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    comment: str
    rule_ids: list[str]
    technologies: list[Literal["5G", "WiFi", "LiFi", "other"] | str]
    ap_ids: list[str]
    starts_at: datetime
    ends_at: datetime | None
    recurrence: SilenceRecurrence | None
    state: Literal["active", "scheduled", "ended"] | str
    """
    `active`: alarms are silenced now. `scheduled`: it has not started, or is between two windows.
    """
    active_until: datetime | None
    next_start_at: datetime | None
    created_by: str
    created_at: datetime


class SilenceCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    comment: str
    """
    Why alarms are silenced.
    """
    rule_ids: list[str] | None = []
    """
    Only alarms of the rules with these ids. Empty: all.
    """
    technologies: list[Literal["5G", "WiFi", "LiFi", "other"] | str] | None = []
    """
    Only alarms of agents of these technologies. Empty: all.
    """
    ap_ids: list[str] | None = []
    """
    Only alarms of agents whose id matches one of these patterns; `*` matches any characters. Empty: all.
    """
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    recurrence: SilenceRecurrence | None = None


class SystemHealth(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    state: Literal["bad", "degraded", "good"] | str
    """
    The worst state of a part. Parts that are `unknown` do not count: what hides them is a part itself.
    """
    parts: list[SystemPart]
    """
    The worst first.
    """
    processes: list[SystemProcess]
    """
    Processes of the server, at most 500. Those without a heartbeat are listed for 15 minutes.
    """
    as_of: datetime


class View(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    columns: list[
        Literal[
            "ap_id",
            "health",
            "name",
            "technology",
            "place",
            "state",
            "last_seen",
            "version",
            "clients",
            "load_pct",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "packet_loss_pct",
            "latency_ms",
            "signal_quality",
            "power_w",
            "reason",
        ]
        | str
    ]
    """
    Columns of the table, in this order.
    """
    shared: bool
    sort: (
        Literal[
            "ap_id",
            "health",
            "name",
            "technology",
            "place",
            "state",
            "last_seen",
            "version",
            "clients",
            "load_pct",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "packet_loss_pct",
            "latency_ms",
            "signal_quality",
            "power_w",
        ]
        | str
    )
    order: Literal["asc", "desc"] | str
    filters: ViewFilters
    created_by: str
    """
    Username of the owner.
    """
    is_own: bool
    """
    Whether you are the owner.
    """
    updated_at: datetime


class ViewCreate(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    name: str
    columns: list[
        Literal[
            "ap_id",
            "health",
            "name",
            "technology",
            "place",
            "state",
            "last_seen",
            "version",
            "clients",
            "load_pct",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "packet_loss_pct",
            "latency_ms",
            "signal_quality",
            "power_w",
            "reason",
        ]
        | str
    ]
    """
    Columns of the table, in this order.
    """
    shared: bool | None = False
    """
    Whether all users can see and use it.
    """
    sort: (
        Literal[
            "ap_id",
            "health",
            "name",
            "technology",
            "place",
            "state",
            "last_seen",
            "version",
            "clients",
            "load_pct",
            "throughput_mbps",
            "throughput_down_mbps",
            "throughput_up_mbps",
            "packet_loss_pct",
            "latency_ms",
            "signal_quality",
            "power_w",
        ]
        | str
        | None
    ) = None
    """
    The default is `health`.
    """
    order: Literal["asc", "desc"] | str | None = None
    """
    The default is `asc`.
    """
    filters: ViewFilters | None = None


class ExperimentDetails(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    id: str
    name: str
    kind: Literal["comparison", "what_if"] | str
    state: Literal["waiting", "running", "finished", "failed", "cancelled"] | str
    """
    `failed`: some of its runs have no result.
    """
    world: ShownExperimentWorld
    command: Command | None
    policies: list[str]
    """
    Names of all policies, in their order.
    """
    documents: list[SteeringPolicy]
    seed: str
    repetitions: int
    duration_s: int | None
    runs: int
    """
    Number of runs.
    """
    finished: int
    """
    Number of runs with a result.
    """
    failed: int
    """
    Number of runs that have failed.
    """
    owner: str
    """
    Name of the user or app that created it.
    """
    owner_kind: Literal["app", "user"] | str
    created_at: datetime
    ended_at: datetime | None
    expires_at: datetime
    """
    Runs that have no result by then fail: `MANC_EXPERIMENT_HOURS` after the request.
    """
    results: list[ExperimentResult]
    """
    One for each policy, of the runs that have finished.
    """
    run_list: list[ExperimentRun]
    """
    All runs, by their numbers.
    """


class ExperimentRunReport(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    run_id: str
    emulator: str
    """
    Id of the emulator process.
    """
    state: Literal["started", "running", "finished", "failed"] | str
    """
    `started` takes the lease on the run, `running` renews it.
    """
    redelivered: bool | None = False
    """
    With `started`: the broker has delivered the run before, to an emulator that has disconnected. Its lease is taken over.
    """
    progress_pct: int | None = 0
    detail: str | None = None
    """
    With `failed`: why.
    """
    result: ExperimentRunResult | None = None


class FleetTable(BaseModel):
    model_config = ConfigDict(
        populate_by_name=True,
        hide_input_in_errors=True,
    )
    total: int
    """
    Number of agents that match the filters.
    """
    rows: list[FleetTableRow]
    as_of: datetime
    """
    Time of the read.
    """
    has_metrics: bool
    """
    False if the metrics store did not answer in time: then all metrics of the rows are null.
    """
