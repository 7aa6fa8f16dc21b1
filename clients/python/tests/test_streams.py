"""Jobs, live samples and events over WebSockets, also while the controller is killed."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest
from websockets.asyncio.client import ClientConnection

from conftest import Open
from manc import AsyncManc, Credentials, JobFailed, Manc, NotAllowed, NotFound, SocketClosed
from manc._io._async import AsyncIo
from support import URL, Support, eventually, unique


def insert_events(support: Support, ap_id: str, first: int, end: int) -> None:
    support.sql(
        "insert into events (kind, severity, ap_id, data) select 'online', 'info', $1, json_build_object('n', n) "
        "from generate_series($2::int, $3::int) n order by n",
        ap_id,
        first,
        end - 1,
    )


def test_events_arrive_once_and_in_order_although_the_controller_is_killed(
    connect: Open, admin: Credentials, support: Support
) -> None:
    ap_id = unique("followed")
    started = threading.Event()
    found: list[int] = []

    def insert() -> None:
        assert started.wait(60)
        insert_events(support, ap_id, 0, 500)
        eventually(lambda: len(found) == 500)
        support.kill_server()
        insert_events(support, ap_id, 500, 1000)
        support.start_server()
        insert_events(support, ap_id, 1000, 1500)

    inserting = threading.Thread(target=insert)
    inserting.start()
    # The start of a controller takes long on a busy machine.
    following = connect(credentials=admin, retry_for_s=120)
    events = following.events.follow(ap_id=ap_id, kind=["online"], on_start=started.set)
    for event in events:
        found.append(event.data["n"])
        if len(found) == 1500:
            break
    events.close()
    inserting.join()
    assert found == list(range(1500))


def test_events_continue_behind_an_id_and_report_a_gap(connect: Open, admin: Credentials, support: Support) -> None:
    manc = connect(credentials=admin)
    ap_id = unique("resumed")
    insert_events(support, ap_id, 0, 3)
    newest_first = eventually(
        lambda: [*ids] if len(ids := [e.id for e in manc.events.list(ap_id=ap_id)]) == 3 else None
    )
    events = manc.events.follow(ap_id=ap_id, after=newest_first[2])
    assert [next(events).data["n"], next(events).data["n"]] == [1, 2]
    events.close()
    gaps: list[bool] = []
    events = manc.events.follow(
        ap_id=ap_id,
        after="1-1-1",
        on_gap=lambda: gaps.append(True),
        on_start=lambda: insert_events(support, ap_id, 7, 8),
    )
    assert next(events).data["n"] == 7
    events.close()
    assert gaps == [True]


def test_a_history_arrives_once_and_in_order_although_the_controller_is_killed(
    connect: Open, admin: Credentials, support: Support
) -> None:
    manc = connect(credentials=admin)
    ap_id = unique("history")
    manc.agents.register({"ap_id": ap_id, "password": "a-password", "configuration": {}})
    agent = connect(credentials=Credentials(ap_id, "a-password", login_type="agent"))
    start = datetime.now(timezone.utc) - timedelta(hours=1)
    metrics = {f"m{n}": n for n in range(10)}
    for first in range(0, 2000, 500):
        samples = [
            {"ts": (start + timedelta(seconds=n)).isoformat(), "payload": metrics} for n in range(first, first + 500)
        ]
        assert agent.agents.send_update({"samples": samples}).accepted == 500
    end = start + timedelta(seconds=2000)

    def is_complete() -> bool:
        # Also of earlier messages: those of several are not stored in order.
        result = manc.prometheus.query(f'sum(count_over_time({{ap_id="{ap_id}"}}[2h]))')["result"]
        return bool(result) and float(result[0]["value"][1]) == 20_000

    eventually(is_complete)
    points = []
    for point in manc.telemetry.history(ap_id, from_=start - timedelta(seconds=1), to=end):
        points.append((point.time, point.field))
        if len(points) == 5000:
            support.kill_server()
            support.start_server()
    assert len(points) == len(set(points)) == 20_000
    assert [time for time, _ in points] == sorted(time for time, _ in points)


def test_a_command_that_no_agent_executes_is_an_error(connect: Open, admin: Credentials) -> None:
    manc = connect(credentials=admin)
    ap_id = unique("absent")
    manc.agents.register({"ap_id": ap_id, "password": "a-password", "configuration": {}})
    states = []
    with pytest.raises(JobFailed) as failed:
        for news in manc.commands.send(ap_id, "reboot"):
            states.append(news.state)
    assert (states[-1], failed.value.state, failed.value.code) == ("expired", "expired", "job_failed")
    with pytest.raises(JobFailed, match="already read"):
        job = manc.commands.send(ap_id, "reboot")
        for _ in range(2):
            try:
                job.done()
            except JobFailed as error:
                if error.state != "expired":
                    raise


def test_a_job_that_does_not_exist_is_an_error(connect: Open, admin: Credentials) -> None:
    with pytest.raises(NotFound):
        next(connect(credentials=admin).jobs.read("00000000-0000-4000-8000-000000000000"))


def test_a_job_that_another_client_reads_ends_the_first_reader(connect: Open, admin: Credentials) -> None:
    manc = connect(credentials=admin)
    number = str(uuid.uuid4())
    manc.callbacks.agent_data(number, [1])
    first = manc.jobs.read(number)
    next(first)
    second = connect(credentials=admin).jobs.read(number)
    next(second)
    with pytest.raises(SocketClosed, match="Another client reads this job now"):
        for _ in first:
            pass
    second.close()


def test_a_stream_that_is_not_allowed_is_an_error(connect: Open, manc: Manc) -> None:
    name = unique("blind")
    manc.apps.register({"app_name": name, "api_key": "a-key", "permissions": {"listEvents": False}})
    app = connect(credentials=Credentials.app(name, "a-key"))
    with pytest.raises(NotAllowed):
        next(app.events.follow())


def test_a_task_that_is_cancelled_stops_waiting_and_closes_its_socket(
    admin: Credentials, manc: Manc, monkeypatch: pytest.MonkeyPatch
) -> None:
    ap_id = unique("silent")
    manc.agents.register({"ap_id": ap_id, "password": "a-password", "configuration": {}})
    opened: list[ClientConnection] = []
    connect = AsyncIo.connect

    async def recorded(io: AsyncIo, url: str, protocols: Sequence[str]) -> ClientConnection | None:
        socket = await connect(io, url, protocols)
        if socket:
            opened.append(socket)
        return socket

    monkeypatch.setattr(AsyncIo, "connect", recorded)

    async def watch() -> None:
        async with AsyncManc(URL, credentials=admin) as client:
            watching = asyncio.ensure_future(anext(client.telemetry.watch([ap_id])))
            while not opened:
                await asyncio.sleep(0.05)
            watching.cancel()
            with pytest.raises(asyncio.CancelledError):
                await watching
            assert [socket.state.name for socket in opened] == ["CLOSED"]

    asyncio.run(asyncio.wait_for(watch(), 60))
