"""Examples as people start them, and emulated networks for them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from manc import Manc
from support import URL, eventually, unique

FOLDER = Path(__file__).parents[3] / "examples" / "python"
KEY = "a-long-key"


class Example:
    """A running example, with its settings only."""

    def __init__(self, name: str, *arguments: str, **settings: str) -> None:
        kept = {each: os.environ[each] for each in ("PATH", "PYTHONPATH", "NO_PROXY", "no_proxy") if each in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, str(FOLDER / name), *arguments],
            env={**kept, "MANC_URL": URL, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.output += line

    def stop(self, signal: int) -> int:
        """The exit status."""
        self.process.send_signal(signal)
        return self.ended()

    def kill(self) -> None:
        """Also if it has ended."""
        self.process.kill()
        self.ended()

    def ended(self) -> int:
        """The exit status; the output is complete then."""
        status = self.process.wait(timeout=60)
        self._reader.join(timeout=60)
        assert self.process.stdout
        self.process.stdout.close()
        return status


def app_for(manc: Manc, scopes: list[str], agents: list[str]) -> dict[str, str]:
    """Registers an app in the sandbox, and returns the settings of an example."""
    name = unique("example")
    permissions = {"scopes": scopes, "agents": agents, "sandbox": True}
    manc.apps.register({"app_name": name, "api_key": KEY, "permissions": permissions})
    return {"MANC_APP": name, "MANC_KEY": KEY}


def spec(technology: str, points: int, devices: int, **more: object) -> dict[str, object]:
    """Access points at one place."""
    return {
        "access_point_type": technology,
        "num_access_points": points,
        "num_devices": devices,
        "locations": ["51.4586,-2.6025"],
        **more,
    }


def emulate(manc: Manc, network: list[dict[str, object]]) -> list[str]:
    """The ids of emulated access points, all of which are live, and online in the fleet."""
    emulation = manc.emulator.spin_up(network)
    ids = emulation.agents
    for news in emulation:
        if news.live == len(ids):
            break
    eventually(lambda: len(list(manc.fleet.agents(ids=ids, state=["online"], emulated="all"))) == len(ids))
    return ids


def patterns_of(agents: list[str]) -> list[str]:
    """Match all agents of an emulation, and no others."""
    _, _, job, _ = agents[0].split("-")
    return [f"emu-{technology}-{job}-*" for technology in ("5g", "wifi", "lifi")]
