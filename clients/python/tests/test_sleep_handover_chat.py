"""The energy saver, the LiFi handover and the receiver of webhooks, as people start them."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import signal
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from example_process import Example, app_for, emulate, patterns_of, spec
from manc import Credentials, Manc
from support import URL, eventually, unique

READING = ["agents:read", "metrics:read"]
OFFICE = [spec("WiFi", 3, 16, spread_m=3, seed="examples", duration=300, scenario="rush_hour")]
LAMPS = [
    spec("LiFi", 4, 6, spread_m=3, seed="examples", duration=180, scenario="lifi_beam_blocked"),
    spec("WiFi", 3, 2, spread_m=3, seed="examples", duration=180, scenario="steady"),
]
PAIR = [spec("WiFi", 2, 2, spread_m=3, seed="examples", duration=300, scenario="steady")]
TIMEOUT_S = 180


@dataclass
class Running:
    """An example with --act, and the same without it, which needs no scope to send commands."""

    network: list[str]
    act: Example
    dry: Example


@pytest.fixture(scope="module")
def running(admin: Credentials, emulator: None) -> Iterator[dict[str, Running]]:
    """They wait for events most of the time: they run beside each other."""
    started: dict[str, Running] = {}
    with Manc(URL, credentials=admin) as manc:
        for key, name, network in (
            ("lamps", "lifi_handover.py", LAMPS),
            ("pair", "energy_saver.py", PAIR),
            ("office", "energy_saver.py", OFFICE),
        ):
            agents = emulate(manc, network)
            act = Example(name, "--act", **app_for(manc, [*READING, "commands:send"], patterns_of(agents)))
            dry = Example(name, **app_for(manc, READING, patterns_of(agents)))
            started[key] = Running(agents, act, dry)
        lamps = started["lamps"]
        eventually(lambda: all("and 3 others" in output for output in (lamps.act.output, lamps.dry.output)))
        # Of WiFi. Its samples have a load of 0 then.
        manc.commands.send(lamps.network[-1], "power_off").done()
    yield started
    for each in started.values():
        for example in (each.act, each.dry):
            example.kill()


def test_notifications_are_posted_to_a_chat_and_those_of_others_are_refused(admin: Credentials) -> None:
    chat = Chat()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    with Manc(URL, credentials=admin) as manc:
        created = manc.notifications.create_receiver({"name": unique("chat"), "type": "webhook", "url": url})
        assert created.secret
        settings = {"MANC_WEBHOOK_SECRET": created.secret, "CHAT_WEBHOOK_URL": chat.url, "PORT": str(port)}
        example = Example("chat_webhook.py", **settings)
        eventually(lambda: "messages are posted to the chat" in example.output)
        chat.status = 500
        delivery = manc.notifications.test(created.id)
        eventually(lambda: manc.notifications.delivery(delivery.id).status_code == 502)
        chat.status = 200
        eventually(lambda: manc.notifications.delivery(delivery.id).status == "sent")
        assert '"text"' in chat.received[-1]
        assert "Alarm: Test" in chat.received[-1]
    before = len(chat.received)
    wrong = {"x-manc-timestamp": "1", "x-manc-signature": "v1=0"}
    assert httpx.post(url, content="{}", headers=wrong, timeout=60).status_code == 401
    assert httpx.post(url, content="{}", timeout=60).status_code == 401
    assert httpx.post(url, content="{}", headers={"x-manc-timestamp": "9" * 5000}, timeout=60).status_code == 401
    with socket.create_connection(("127.0.0.1", port)) as unsized:
        unsized.sendall(b"POST / HTTP/1.1\r\n\r\n")
        assert unsized.recv(1000).startswith(b"HTTP/1.0 411 ")
    assert httpx.post(url, content="{", headers=signed("{", created.secret), timeout=60).status_code == 400
    assert httpx.get(url, timeout=60).status_code == 501
    assert len(chat.received) == before
    assert example.stop(signal.SIGTERM) == 0
    assert "The chat did not accept the message (500). Check CHAT_WEBHOOK_URL." in example.output
    for hidden in (created.secret, chat.url):
        assert hidden not in example.output
    chat.close()


def test_a_message_is_posted_once_and_does_not_wait_for_others() -> None:
    chat = Chat()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    example = Example("chat_webhook.py", MANC_WEBHOOK_SECRET="s", CHAT_WEBHOOK_URL=chat.url, PORT=str(port))
    eventually(lambda: "messages are posted to the chat" in example.output)

    def send(title: str, headers: dict[str, str] | None = None) -> httpx.Response:
        body = notification(title)
        return httpx.post(url, content=body, headers=headers or signed(body, "s"), timeout=60)

    recorded = signed(notification("held"), "s")
    with ThreadPoolExecutor() as threads:
        chat.open.clear()
        twice = [threads.submit(send, "held", recorded) for _ in range(2)]
        eventually(lambda: len(chat.received) == 1)
        other = threads.submit(send, "other")
        eventually(lambda: len(chat.received) == 2)
        chat.open.set()
        assert [each.result().status_code for each in (*twice, other)] == [200] * 3
    replayed = send("held", {**recorded, "x-manc-delivery": str(uuid.uuid4())})
    assert (replayed.status_code, "used with another id" in replayed.text) == (401, True)
    assert len(chat.received) == 2
    assert example.stop(signal.SIGTERM) == 0
    chat.close()


def notification(title: str) -> str:
    return json.dumps({"status": "firing", "truncatedAlerts": 0, "commonLabels": {"alertname": title}, "alerts": []})


def signed(body: str, secret: str) -> dict[str, str]:
    """The headers of a new message."""
    sent = str(int(time.time()))
    digest = hmac.new(secret.encode(), f"{sent}.{body}".encode(), hashlib.sha256).hexdigest()
    return {"x-manc-delivery": str(uuid.uuid4()), "x-manc-timestamp": sent, "x-manc-signature": f"v1={digest}"}


def test_the_receiver_says_what_to_do_next_without_a_secret() -> None:
    unset = Example("chat_webhook.py")
    assert unset.ended() == 1
    assert "MANC_WEBHOOK_SECRET is not set. It is in the response to create-receiver;" in unset.output


@pytest.mark.slow
def test_the_energy_saver_wakes_an_access_point_whose_neighbour_is_switched_off(
    running: dict[str, Running], admin: Credentials
) -> None:
    act = running["pair"].act
    found = eventually(lambda: re.search(r" (\S+): sleep \(.*; (\S+) at \d+ m", act.output), TIMEOUT_S)
    with Manc(URL, credentials=admin) as manc:
        eventually(lambda: newest(manc, found[1], "uptime_s") == 0)
        manc.commands.send(found[2], "power_off").done()
        eventually(lambda: f"{found[1]}: wake ({found[2]} is off)" in act.output)
        eventually(lambda: (newest(manc, found[1], "uptime_s") or 0) > 0)
    assert "failed" not in act.output


@pytest.mark.slow
def test_the_handover_moves_clients_before_the_light_is_blocked(
    running: dict[str, Running], admin: Credentials
) -> None:
    off, act, dry = running["lamps"].network[-1], running["lamps"].act, running["lamps"].dry
    moved = r" (\S+): blockage expected in [\d.]+ s, (\d+) of (\d+) clients handed over to emu-wifi-"
    found = eventually(lambda: re.search(moved, act.output), TIMEOUT_S)
    lamp, steered, before = found[1], int(found[2]), int(found[3])
    with Manc(URL, credentials=admin) as manc:

        def clients_before_blockages() -> list[float]:
            series = manc.telemetry.chart(lamp, ["blockage", "clients"], window="10m").series
            blockages, clients = ([point.value for point in each.points] for each in series)
            begins = [n for n in range(1, len(blockages)) if blockages[n] == 1 and blockages[n - 1] == 0]
            return [clients[n - 1] for n in begins]

        # Three that it learned from, and the one that it expected. Some clients do not follow requests.
        eventually(lambda: min(clients_before_blockages()) <= before - steered, TIMEOUT_S)
        assert min(clients_before_blockages()[:2]) > before - steered
    print(act.output, dry.output)
    assert act.stop(signal.SIGINT) == 0
    assert re.search(r": blockage expected in [\d.]+ s, would hand \d+ clients over to emu-wifi-", dry.output)
    assert "handed over" not in dry.output
    assert f" to {off} " not in act.output + dry.output


@pytest.mark.slow
def test_the_energy_saver_puts_access_points_to_sleep_and_wakes_them(
    running: dict[str, Running], admin: Credentials
) -> None:
    saver = running["office"]
    act, dry = saver.act, saver.dry
    with Manc(URL, credentials=admin) as manc:

        def asleep() -> int:
            return sum(newest(manc, ap_id, "uptime_s") == 0 for ap_id in saver.network)

        eventually(lambda: re.search(r": sleep \(\d+ clients, [\d.]+ %; emu-wifi-", act.output), TIMEOUT_S)
        eventually(lambda: asleep() >= 1, TIMEOUT_S)
        # One that serves the clients of others stays awake.
        assert asleep() < len(saver.network)
        print(act.output)
        eventually(lambda: re.search(r": wake \(emu-wifi-\S+ is at [\d.]+ %\)", act.output), TIMEOUT_S)
        assert act.stop(signal.SIGINT) == 0
        assert act.output.rstrip().endswith("stopped")
        eventually(lambda: asleep() == 0, TIMEOUT_S)
    assert "failed" not in act.output
    assert ": would sleep (" in dry.output
    assert not re.search(r": sleep|failed", dry.output)


def newest(manc: Manc, ap_id: str, metric: str) -> float | None:
    [series] = manc.telemetry.chart(ap_id, [metric], window="10s").series
    return series.points[-1].value if series.points else None


class Chat:
    """In place of a chat: what was posted to its incoming webhook."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.status = 200
        # Not set: responses are held back.
        self.open = threading.Event()
        self.open.set()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                chat.received.append(self.rfile.read(int(self.headers["content-length"])).decode())
                chat.open.wait(timeout=60)
                self.send_response(chat.status)
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
