"""The steering example, as people start it."""

from __future__ import annotations

import signal
import time

import pytest

from example_process import KEY, Example, app_for, emulate, patterns_of, spec
from manc import Credentials, Manc
from support import URL, eventually

EXAMPLE = "steering.py"

# Four crowded halls of WiFi with 5G and LiFi around them, which are nearly idle.
HALLS = {"duration": 600, "scenario": "steady", "seed": "halls"}
NETWORK = [
    spec("WiFi", 4, 240, spread_m=10, **HALLS),
    spec("5G", 12, 10, spread_m=50, **HALLS),
    spec("LiFi", 2, 1, spread_m=3, **HALLS),
]


@pytest.mark.slow
@pytest.mark.usefixtures("emulator")
def test_the_example_takes_load_off_overloaded_wifi(admin: Credentials) -> None:
    with Manc(URL, credentials=admin) as manc:
        network = emulate(manc, NETWORK)

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
        settings = app_for(manc, ["agents:read", "metrics:read", "commands:send"], patterns_of(network))
        example = Example(EXAMPLE, **settings)
        try:
            began = time.monotonic()
            after = eventually(
                lambda: load if (load := load_of_wifi()) is not None and load < 0.8 * before else None, 150
            )
        finally:
            status = example.stop(signal.SIGINT)
    print(f"{example.output}load of WiFi: {before:.1f} % to {after:.1f} % in {time.monotonic() - began:.0f} s")
    assert status == 0, example.output
    assert " steered to emu-" in example.output
    assert example.output.rstrip().endswith("stopped")


@pytest.mark.parametrize("name", [EXAMPLE, "energy_saver.py", "lifi_handover.py"])
def test_the_error_says_what_to_do_next_if_an_example_cannot_start(admin: Credentials, name: str) -> None:
    with Manc(URL, credentials=admin) as manc:
        app = app_for(manc, ["agents:read", "metrics:read"], [])["MANC_APP"]
    unset = Example(name, MANC_APP=app)
    assert unset.ended() == 1
    assert "MANC_KEY is not set." in unset.output
    wrong = Example(name, MANC_APP=app, MANC_KEY="wrong")
    assert wrong.ended() == 1
    assert "Log in with a valid name and password." in wrong.output
    blind = Example(name, MANC_APP=app, MANC_KEY=KEY)
    assert blind.ended() == 1
    assert "is online. Start some," in blind.output
