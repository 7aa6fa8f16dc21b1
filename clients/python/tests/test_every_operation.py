"""Every operation of the OpenAPI document, called with both clients against a controller."""

from __future__ import annotations

import inspect
import json
import re
import threading
import uuid
from collections.abc import Generator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from conftest import Open, Requests
from manc import Credentials, JobFailed, Manc, NotLoggedIn, Refused, models
from manc._core.routes import ROUTES
from operations import called_operations, served_operations
from support import URL, Support, eventually, unique


def test_the_client_has_a_method_for_every_operation_and_each_succeeds(
    connect: Open, admin: Credentials, support: Support, requests: Requests
) -> None:
    manc = connect(credentials=admin)
    apart = unique("op")
    users(manc, support)
    agents(manc, connect, apart)
    applications(manc, admin, apart)
    alarms(manc, admin, support, apart)
    clients(manc, support, apart)
    decisions(manc, apart)
    experiments(manc, support, apart)
    notifications(manc, support)
    views(manc)
    telemetry(manc, apart)
    prometheus(manc, apart)
    fleet(manc, apart)
    rollouts(manc, apart)
    jobs(manc)
    watching(manc, apart)
    commands(manc, apart)
    emulations(manc)
    generated_reads(manc)
    manc.renew_session()
    manc.end_session()
    served = served_operations()
    assert len(served) >= 41
    # The first administrator is created once: by the fixture, before requests are recorded.
    expected = set(served.values()) - {"createUserPublic"}
    assert called_operations(requests, served) == expected


def test_the_routes_are_those_of_the_served_document() -> None:
    served = served_operations()
    assert {f"{route.method} {route.path}": name for name, route in ROUTES.items()} == served


def test_every_schema_of_the_document_has_a_model() -> None:
    document = json.loads(Path(__file__).parents[3].joinpath("docs", "openapi.json").read_text("utf-8"))
    missing = [name for name in document["components"]["schemas"] if not hasattr(models, name)]
    assert missing == []


def generated_reads(manc: Manc) -> None:
    """Lists and reads without arguments: a new one needs no line here."""
    for name, resource in vars(getattr(manc, "_target", manc)).items():
        for method_name, method in inspect.getmembers(resource, inspect.ismethod):
            if name.startswith("_") or method_name.startswith("_"):
                continue
            called = re.findall(r"_transport\.(?:call|pages|lines)\(\s*\"(\w+)\"", inspect.getsource(method))
            is_read = len(called) == 1 and ROUTES[called[0]].method == "GET"
            arguments = inspect.signature(method).parameters.values()
            if is_read and all(each.default is not inspect.Parameter.empty for each in arguments):
                result = getattr(getattr(manc, name), method_name)()
                if isinstance(result, Generator):
                    next(result, None)
                    result.close()


def users(manc: Manc, support: Support) -> None:
    manc.log_in()
    assert manc.users.sign_in_options() is not None
    username, guest = f"{unique('someone')}@manc.test", f"{unique('guest')}@manc.test"
    manc.users.create({"username": username, "password": "some-password", "roles": ["user"]})
    assert manc.users.get(username).roles == "user"
    assert manc.users.update(username, models.UserUpdate(roles=["operator"])).roles == "operator"
    assert username in [user.username for user in manc.users.list(page_size=1)]
    assert manc.users.remove(username).status == "success"
    manc.users.sign_up({"username": guest, "password": "some-password"})
    confirmation = support.mail_token("Confirmation token", guest)
    confirmed = manc.users.confirm_sign_up({"token": confirmation, "password": "some-password"})
    assert confirmed.username == guest
    manc.users.recover_password(guest)
    token = support.mail_token("Reset token", guest, 1)
    new = {"token": token, "new_password": "other-password"}
    assert manc.users.reset_password(new).status == "success"
    with pytest.raises(Refused) as refused:
        manc.users.reset_password(new)
    assert refused.value.status == 400
    # An administrator exists, so no setup token is accepted.
    with pytest.raises(NotLoggedIn):
        manc.users.create_first({"username": guest, "password": "some-password", "roles": ["admin"]}, "no-token")


def agents(manc: Manc, connect: Open, apart: str) -> None:
    first, second = f"{apart}-1", f"{apart}-2"
    # With this interval it stays online for the whole test.
    configuration = {"technology": "WiFi", "telemetry_interval_s": 3600}
    wifi = models.AgentCreate(ap_id=first, password="a-password", configuration=configuration)
    assert manc.agents.register(wifi).ap_id == first
    made = manc.enrolment.create({"ap_id_pattern": f"{apart}-*", "max_uses": 2})
    assert made.id in [token.id for token in manc.enrolment.list()]
    manc.agents.enrol({"ap_id": second, "password": "a-password", "configuration": {}}, made.token)
    manc.enrolment.remove(made.id)
    assert manc.agents.get(second).ap_id == second
    assert manc.agents.rejections(second).rejected == []
    [version] = manc.agents.configurations(second)
    assert (version.version, version.current) == (1, True)
    assert manc.agents.restore(second, 1).configuration == manc.agents.configuration(second, 1).configuration
    assert manc.agents.update(second, {"configuration": {"name": "Hall"}}).configuration == {"name": "Hall"}
    assert {first, second} <= {agent.ap_id for agent in manc.agents.list()}
    reported = {agent.ap_id: agent.online for agent in manc.agents.report()}
    assert (reported[first], reported[second]) == (False, False)
    manc.agents.remove(second)
    agent = connect(credentials=Credentials(first, "a-password", login_type="agent"))
    assert agent.agents.send_update({"payload": {"clients": 3}}).accepted == 1


def applications(manc: Manc, admin: Credentials, apart: str) -> None:
    name = f"{apart}-app"
    manc.apps.register({"app_name": name, "api_key": "a-key", "permissions": {}})
    assert name in [app.app_name for app in manc.apps.list()]
    manc.apps.update(name, {"permissions": {"priority": 2}})
    assert manc.apps.get(name).permissions == {"priority": 2}
    manc.apps.remove(name)
    entries = list(manc.audit.list(actor=admin.username, target=name.upper()))
    assert (entries[0].action, entries[0].target) == ("app.delete", name)
    assert list(manc.audit.export(actor=admin.username, target=name.upper())) == entries


def alarms(manc: Manc, admin: Credentials, support: Support, apart: str) -> None:
    [row] = support.sql(
        "insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology) "
        "values ('load_pct.bad', 'Load is bad', 'critical', 'load_pct', $1, 'WiFi') returning id::text as id",
        f"{apart}-1",
    )
    alarm = row["id"]
    assert manc.alarms.get(alarm).state == "open"
    assert manc.alarms.acknowledge(alarm).acknowledged_by == admin.username
    assert manc.alarms.acknowledge(alarm, {"comment": "known"}).comment == "known"
    acknowledged = manc.alarms.acknowledge_all({"ids": [alarm, f"1{alarm}"]})
    assert (acknowledged.acknowledged, acknowledged.not_acknowledged) == (1, [f"1{alarm}"])
    assert manc.alarms.assign(alarm, {"username": admin.username}).assignee == admin.username
    rule = {"name": unique("Many clients"), "severity": "info", "metric": "clients", "raise_op": ">="}
    assert manc.alarms.preview_rule({**rule, "raise_threshold": 100}).alarms == 0
    created = manc.alarms.create_rule({**rule, "raise_threshold": 100})
    assert manc.alarms.update_rule(created.id, {**rule, "raise_threshold": 200}).raise_threshold == 200
    manc.alarms.remove_rule(created.id)
    recurrence = {"days": ["sat"], "at": "02:00", "duration_min": 90, "time_zone": "Europe/Berlin"}
    silence = manc.alarms.silence({"comment": "works", "recurrence": recurrence})
    assert manc.alarms.update_silence(silence.id, {"comment": "more works"}).comment == "more works"
    assert silence.id in [each.id for each in manc.alarms.silences()]
    manc.alarms.end_silence(silence.id)


def clients(manc: Manc, support: Support, apart: str) -> None:
    support.sql(
        "insert into clients (id, ap_id, is_attached, technology, since, claimed_at) "
        "values ($1, $2, true, 'WiFi', now(), now())",
        f"{apart}-client",
        f"{apart}-1",
    )
    client = manc.clients.get(f"{apart}-client")
    assert (client.ap_id, client.history, client.next) == (f"{apart}-1", [], None)
    assert [each.id for each in manc.clients.of_agent(f"{apart}-1")] == [f"{apart}-client"]


def decisions(manc: Manc, apart: str) -> None:
    access_point = f"{apart}-1"
    proposal = {
        "policy": "balance",
        "mode": "advise",
        "reason": f"{access_point} is busy",
        "expected": [{"ap_id": access_point, "kpi": "load_pct", "from": 90, "to": 60}],
        "commands": [{"ap_id": access_point, "command": "set_power 10"}],
    }
    key = uuid.uuid4().hex
    first = manc.decisions.create(proposal, idempotency_key=key)
    assert manc.decisions.create(models.DecisionCreate.model_validate(proposal), idempotency_key=key).id == first.id
    assert manc.decisions.get(first.id).state == "proposed"
    assert manc.decisions.reject(first.id).state == "rejected"
    second = manc.decisions.create(proposal)
    assert manc.decisions.confirm(second.id).state == "executed"
    assert [each.id for each in manc.decisions.list(ap_id=access_point)] == [second.id, first.id]
    assert [each.id for each in manc.decisions.export(ap_id=access_point, state=["rejected"])] == [first.id]


def experiments(manc: Manc, support: Support, apart: str) -> None:
    world = {"access_points": [{"technology": "WiFi", "count": 1, "clients": 1}]}
    compared = {"name": unique("Comparison"), "world": world, "policies": ["none"], "repetitions": 1}
    experiment = manc.experiments.create(compared).id
    [listed] = manc.experiments.get(experiment).run_list
    assert (listed.policy, listed.seed) == ("none", "run-1")
    [row] = support.sql("select id from experiment_runs where experiment_id = $1", experiment)
    manc.callbacks.experiment_run({"run_id": row["id"], "emulator": str(uuid.uuid4()), "state": "started"})
    assert manc.experiments.get_run(experiment, 1).state == "running"
    header, line = manc.experiments.export(experiment)
    assert (header.startswith("run,policy"), line.startswith("1,none,run-1,running,")) == (True, True)
    following = manc.experiments.follow(experiment)
    assert next(following).state == "running"
    assert manc.experiments.cancel(experiment).state == "cancelled"
    assert [each.state for each in following] == ["cancelled"]
    manc.experiments.remove(experiment)
    support.sql(
        "update fleet set state = 'online', technology = 'WiFi', latitude = 51, longitude = -2 where ap_id = $1",
        f"{apart}-1",
    )
    what_if = manc.experiments.what_if({"agents": [f"{apart}-1"], "policy": "dawn"})
    assert (what_if.kind, what_if.policies) == ("what_if", ["none", "dawn"])


def notifications(manc: Manc, support: Support) -> None:
    given = {"name": unique("Hook"), "type": "webhook", "url": "https://hooks.python.test/"}
    created = manc.notifications.create_receiver(given)
    assert manc.notifications.rotate_secret(created.id).secret != created.secret
    renamed = unique("Pager")
    assert manc.notifications.update_receiver(created.id, {**given, "name": renamed}).name == renamed
    route = manc.notifications.create_route({"name": unique("All"), "receiver_id": created.id})
    assert (route.group_by, route.group_wait_s) == ("rule", 10)
    manc.notifications.update_route(route.id, {"name": route.name, "receiver_id": created.id, "group_by": "none"})
    manc.notifications.remove_route(route.id)
    test = manc.notifications.test(created.id)
    support.sql("update notification_deliveries set status = 'failed', next_attempt_at = null where id = $1", test.id)
    assert manc.notifications.retry(test.id).kind == "test"
    assert manc.notifications.delivery(test.id).alarms == []
    manc.notifications.remove_receiver(created.id)


def views(manc: Manc) -> None:
    view = manc.views.create({"name": unique("Broken"), "columns": ["health", "name"], "shared": True})
    changed = manc.views.update(view.id, {"name": view.name, "columns": ["load_pct"], "sort": "load_pct"})
    assert (changed.shared, changed.order) == (False, "asc")
    assert manc.views.get(view.id) == changed
    manc.views.remove(view.id)


def telemetry(manc: Manc, apart: str) -> None:
    access_point = f"{apart}-1"

    def values() -> list[float] | None:
        [series] = manc.telemetry.chart(access_point, ["clients"]).series
        return [point.value for point in series.points] or None

    assert eventually(values) == [3]
    assert manc.telemetry.all(access_point, window="1h").key == f"agent/{access_point}/data"
    assert [metric.name for metric in manc.telemetry.metrics(access_point).metrics] == ["clients"]
    from_ = datetime.now(timezone.utc) - timedelta(minutes=2)
    history = list(manc.telemetry.history(access_point, from_=from_))
    assert [(point.field, point.value) for point in history] == [("clients", 3)]
    assert history[0].time > from_
    [period] = manc.telemetry.series(access_point, ["clients"], from_=from_).series
    assert [point.value for point in period.points] == [3]
    # It ends with the last whole step.
    summary = eventually(
        lambda: next(
            (
                series.spread
                for series in manc.telemetry.summary(["clients"], agents=[access_point], from_=from_, step=1).series
                if series.spread is not None and series.spread.agents == 1
            ),
            None,
        )
    )
    assert (summary.agents, summary.p50) == (1, 3)


def prometheus(manc: Manc, apart: str) -> None:
    long = f"count(up) or vector(1) # {'long ' * 500}"
    for expression in ("vector(1)", long):
        now = datetime.now(timezone.utc)
        assert manc.prometheus.query(expression)["resultType"] == "vector"
        ranged = manc.prometheus.query_range(expression, start=now - timedelta(minutes=1), end=now, step="15s")
        assert ranged["resultType"] == "matrix"
    selectors = [f'{{ap_id="{apart}-1"}}', f'{{ap_id="{"x" * 2500}"}}']
    for match in (selectors[:1], selectors):
        assert isinstance(manc.prometheus.series(match), list)
        assert isinstance(manc.prometheus.labels(match), list)
    assert isinstance(manc.prometheus.label_values("__name__"), list)
    assert "version" in manc.prometheus.build_info()
    assert manc.prometheus.metadata() == {}


def fleet(manc: Manc, apart: str) -> None:
    access_point = f"{apart}-1"
    assert manc.fleet.summary().total >= 1
    changes = manc.fleet.changes("1.1.1.all")
    assert (changes.is_complete, changes.agents) == (False, [])
    table = eventually(
        lambda: next(
            (
                row
                for row in manc.fleet.table(search=apart, technology=["WiFi"], sort="clients", order="desc").rows
                if row.clients == 3
            ),
            None,
        )
    )
    assert table.ap_id == access_point
    assert manc.fleet.figures(loads=True).agents >= 1
    assert manc.fleet.cells(search=apart, technology=["WiFi"], loads=True).total == 1
    assert len(manc.fleet.trends().technologies) == 4
    assert manc.fleet.map_layers() == models.MapLayers(tiles=None, attribution=None, geojson=None)
    there = manc.fleet.agents(technology=["WiFi"], search=apart)
    assert [agent.ap_id for agent in there] == [access_point]


def rollouts(manc: Manc, apart: str) -> None:
    selection = {"agents": [f"{apart}-1"], "change": {"floor": 2}}
    preview = manc.rollouts.preview(selection)
    assert (preview.agents, preview.unchanged) == (1, 0)
    rollout = manc.rollouts.create({**selection, "wait_s": 3600}).id
    assert manc.rollouts.get(rollout).state == "running"
    assert rollout in [each.id for each in manc.rollouts.list()]
    assert [each.ap_id for each in manc.rollouts.agents(rollout)] == [f"{apart}-1"]
    manc.rollouts.pause(rollout)
    manc.rollouts.resume(rollout)
    manc.rollouts.undo(rollout)
    eventually(lambda: manc.rollouts.get(rollout).state == "undone")


def jobs(manc: Manc) -> None:
    number = str(uuid.uuid4())
    manc.callbacks.agent_data(number, [1])
    manc.callbacks.agent_details(number, [{"two": 2}])
    manc.callbacks.emulator(number, [{"three": 3}])
    came = []
    messages = manc.jobs.read(number)
    for message in messages:
        came.append(message.data)
        if len(came) == 3:
            break
    messages.close()
    assert came == [[1], [{"two": 2}], [{"three": 3}]]
    assert manc.jobs.get(number).kind == "mailbox"
    assert [result.data for result in manc.jobs.results(number, page_size=2)] == came


def watching(manc: Manc, apart: str) -> None:
    access_point = f"{apart}-1"
    is_received = threading.Event()

    def send() -> None:
        credentials = Credentials(access_point, "a-password", login_type="agent")
        with Manc(credentials=credentials, url=URL) as agent:
            while not is_received.wait(0.3):
                agent.agents.send_update({"payload": {"clients": 4}})

    sending = threading.Thread(target=send)
    sending.start()
    try:
        live = manc.telemetry.watch([access_point])
        sample = next(live)
        live.close()
    finally:
        is_received.set()
        sending.join()
    assert (sample.agent_id, sample.values["clients"]) == (access_point, 4)


def commands(manc: Manc, apart: str) -> None:
    access_point = f"{apart}-1"
    sent = manc.commands.send(access_point, "reboot")
    job = manc.jobs.get(sent.job_number, include="request")
    assert (job.kind, job.request) == ("send_command", {"agent_id": access_point, "command": "reboot"})
    assert manc.jobs.cancel(sent.job_number).status == "success"
    with pytest.raises(JobFailed) as failed:
        sent.done()
    assert failed.value.state == "skipped"
    many = manc.commands.send_to_many({"command": "reboot", "agents": [access_point]})
    assert (many.agents, many.skipped) == (1, 0)
    outcomes = many.done().outcomes
    assert outcomes is not None
    assert [outcome.state for outcome in outcomes] == ["expired"]


def emulations(manc: Manc) -> None:
    spec = models.EmulatorSpec(
        access_point_type="LiFi", num_access_points=2, locations=["Bristol"], num_devices=3, duration=60
    )
    emulation = manc.emulator.spin_up([spec])
    assert len(emulation.agents) == 2
    assert emulation.ends_at is not None
    assert "emulator_spinup" in [job.kind for job in manc.jobs.list()]
    started = [event.subject for event in manc.events.export(kind=["emulation_started"])]
    assert emulation.job_number in started
    assert emulation.job_number in [each.job_number for each in manc.emulations.list()]
    assert manc.emulations.stop(emulation.job_number).status == "success"
