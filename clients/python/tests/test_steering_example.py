"""The steering example, as people start it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from manc import Credentials, Manc
from support import URL, Support, eventually, unique

EXAMPLE = Path(__file__).parents[3] / "examples" / "python" / "steering.py"

# Four crowded halls of WiFi with 5G and LiFi around them, which are nearly idle.
NETWORK = [
    {
        "access_point_type": technology,
        "num_access_points": points,
        "num_devices": devices,
        "spread_m": spread,
        "locations": ["51.4586,-2.6025"],
        "duration": 600,
        "scenario": "steady",
        "seed": "halls",
    }
    for technology, points, devices, spread in (("WiFi", 4, 240, 10), ("5G", 12, 10, 50), ("LiFi", 2, 1, 3))
]


@pytest.fixture(scope="module")
def network(admin: Credentials, support: Support) -> list[str]:
    """The ids of emulated access points, all of which are live."""
    with Manc(URL, credentials=admin) as manc:
        emulator = {"app_name": "emulator", "api_key": "a-key", "permissions": {"scopes": ["callbacks:post"]}}
        manc.apps.register(emulator)
        support.start_emulator()
        emulation = manc.emulator.spin_up(NETWORK)
        for news in emulation:
            if news.live == len(emulation.agents):
                break
        return emulation.agents


def start(**settings: str) -> subprocess.Popen[str]:
    environment = {
        name: os.environ[name] for name in ("PATH", "PYTHONPATH", "NO_PROXY", "no_proxy") if name in os.environ
    }
    return subprocess.Popen(
        [sys.executable, str(EXAMPLE)],
        env={**environment, "MANC_URL": URL, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def output_of(process: subprocess.Popen[str]) -> str:
    text, _ = process.communicate(timeout=60)
    return text


def app_for(manc: Manc, permissions: dict[str, object]) -> str:
    name = unique("steering")
    manc.apps.register({"app_name": name, "api_key": "a-long-key", "permissions": permissions})
    return name


def test_the_example_takes_load_off_overloaded_wifi(network: list[str], admin: Credentials) -> None:
    with Manc(URL, credentials=admin) as manc:

        def load_of_wifi() -> float | None:
            """The mean of the last samples of those that were overloaded."""
            loads = []
            for ap_id in network[:4]:
                [series] = manc.telemetry.chart(ap_id, ["load_pct"], window="30s").series
                values = [point.value for point in series.points][-3:]
                if len(values) < 3:
                    return None
                loads.append(sum(values) / len(values))
            return sum(sorted(loads)[-2:]) / 2

        before = eventually(load_of_wifi)
        assert before > 80
        pattern = network[0].replace("wifi", "*").rsplit("-", 1)[0]
        scopes = ["agents:read", "metrics:read", "commands:send"]
        name = app_for(manc, {"scopes": scopes, "agents": [f"{pattern}-*"]})
        process = start(MANC_APP=name, MANC_KEY="a-long-key")
        try:
            began = time.monotonic()
            after = eventually(
                lambda: load if (load := load_of_wifi()) is not None and load < 0.8 * before else None, 90
            )
        finally:
            process.send_signal(signal.SIGINT)
        output = output_of(process)
    print(f"{output}load of WiFi: {before:.1f} % to {after:.1f} % in {time.monotonic() - began:.0f} s")
    assert process.returncode == 0, output
    assert " steered to emu-" in output
    assert output.rstrip().endswith("stopped")


def test_the_error_says_what_to_do_next_if_the_example_cannot_start(admin: Credentials) -> None:
    with Manc(URL, credentials=admin) as manc:
        name = app_for(manc, {"agents": []})
    unset = start(MANC_APP=name)
    assert "MANC_KEY is not set." in output_of(unset)
    assert unset.returncode == 1
    wrong = start(MANC_APP=name, MANC_KEY="wrong")
    assert "Log in with a valid name and password." in output_of(wrong)
    assert wrong.returncode == 1
    blind = start(MANC_APP=name, MANC_KEY="a-long-key")
    assert "No WiFi access point is online. Start some," in output_of(blind)
    assert blind.returncode == 1
