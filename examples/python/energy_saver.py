"""An application that saves energy: it puts idle access points to sleep, and wakes them when they are needed.

The same as ../energy-saver.ts, in Python. An access point sleeps only while a neighbour of the same technology can
serve its clients. When the application is stopped, it wakes all that it has put to sleep. After a SIGKILL they stay
asleep: send them `wake`.

Without --act it sends no command and prints what it would do. Scopes: agents:read and metrics:read; with --act also
commands:send. Register it in the sandbox first, where it sees emulated access points only:

    npx manc apps register energy-saver --sandbox --scopes agents:read,metrics:read
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import time
from dataclasses import dataclass

from manc import AsyncManc, MancError, models

# When an access point counts as idle, and up to which load a neighbour serves its clients too.
IDLE_BELOW_PCT, IDLE_CLIENTS, IDLE_SAMPLES, NEIGHBOUR_BELOW_PCT = 15, 10, 15, 40
# A neighbour above this load, or without samples for this long, needs the access point again.
WAKE_ABOVE_PCT, SILENT_S = 70, 15.0
# How far away a neighbour may be, in metres.
RANGES = {"5G": 300, "WiFi": 30, "LiFi": 3}
PAUSE_S = 5.0  # Between two decisions, until the effect of the first shows in the samples.
MAX_WATCHED = 256  # The limit of one subscription.
ACT = "--act" in sys.argv


@dataclass(eq=False)
class Point:
    """An access point that is online."""

    id: str
    technology: str
    position: models.Position
    load_pct: float = math.nan
    clients: int = 0
    is_on: bool = False
    seen: float = 0.0
    idle_samples: int = 0

    def distance(self, other: Point) -> float:
        """In metres."""
        here, there = self.position, other.position
        east = (here.longitude - there.longitude) * math.cos(math.radians(here.latitude))
        return 111_320 * math.hypot(here.latitude - there.latitude, east)


def log(line: str) -> None:
    """Prints a line with the time."""
    print(time.strftime("%H:%M:%S", time.gmtime()), line, flush=True)


class EnergySaver:
    """Takes one decision at a time."""

    def __init__(self, manc: AsyncManc) -> None:
        self.manc = manc
        self.points: dict[str, Point] = {}
        # Access points that were put to sleep, each with the neighbour that serves its clients and stays awake.
        self.asleep: dict[Point, Point] = {}

    async def run(self) -> None:
        """Processes all samples until it is stopped."""
        # Emulated access points of others are listed only on request: those of the demo belong to its administrator.
        async for agent in self.manc.fleet.agents(state=["online"], emulated="all"):
            if agent.position and len(self.points) < MAX_WATCHED:
                self.points[agent.ap_id] = Point(agent.ap_id, agent.technology, agent.position)
        if not self.points:
            next_step = "Start some, for example with npm run demo, and start this again."
            raise MancError("No access point is online.", next_step)
        mode = "" if ACT else "; without --act no command is sent"
        log(f"watching {len(self.points)} access points{mode}")
        deciding: asyncio.Task[None] | None = None
        try:
            async for sample in self.manc.telemetry.watch(list(self.points)):
                point, values = self.points[sample.agent_id], sample.values
                point.load_pct = float(values.get("load_pct", math.nan))
                point.clients = int(float(values.get("clients", 0)))
                # An access point whose radio is off has an uptime of 0.
                point.is_on = float(values.get("uptime_s", 0)) > 0
                point.seen = time.monotonic()
                is_idle = point.is_on and point.load_pct < IDLE_BELOW_PCT and point.clients <= IDLE_CLIENTS
                point.idle_samples = point.idle_samples + 1 if is_idle else 0
                # Not awaited: samples keep arriving.
                if (deciding is None or deciding.done()) and (decision := self.decision(point)):
                    deciding = asyncio.create_task(self.send(*decision))
        finally:
            if deciding:
                await deciding
            for sleeper in list(self.asleep):
                await self.send(sleeper, "wake", "this application ends", pause_s=0)

    def decision(self, point: Point) -> tuple[Point, str, str] | None:
        """An access point, its command and the reason."""
        for sleeper, neighbour in self.asleep.items():
            if neighbour.load_pct > WAKE_ABOVE_PCT:
                return sleeper, "wake", f"{neighbour.id} is at {neighbour.load_pct:g} %"
            if not neighbour.is_on:
                return sleeper, "wake", f"{neighbour.id} is off"
            if time.monotonic() > neighbour.seen + SILENT_S:
                return sleeper, "wake", f"{neighbour.id} sends no samples"
        if point.idle_samples < IDLE_SAMPLES or point in self.asleep or point in self.asleep.values():
            return None
        awake = [each for each in self.points.values() if each is not point and each.is_on and each not in self.asleep]
        alike = [each for each in awake if each.technology == point.technology and each.load_pct < NEIGHBOUR_BELOW_PCT]
        near = min(alike, key=point.distance, default=None)
        if near is None or point.distance(near) > RANGES.get(point.technology, 0):
            return None
        self.asleep[point] = near
        neighbour_text = f"{near.id} at {point.distance(near):.0f} m has a load of {near.load_pct:g} %"
        return point, "sleep", f"{point.clients} clients, {point.load_pct:g} %; {neighbour_text}"

    async def send(self, point: Point, command: str, reason: str, pause_s: float = PAUSE_S) -> None:
        """Sends a command, or prints it only."""
        log(f"{point.id}: {'' if ACT else 'would '}{command} ({reason})")
        try:
            if ACT:
                await (await self.manc.commands.send(point.id, command)).done()
            if command == "wake":
                del self.asleep[point]
        except MancError as error:
            # To the end: the others are woken before it is tried again.
            self.asleep[point] = self.asleep.pop(point)
            # It may have been executed: the access point counts as asleep, and is woken later.
            next_step = f" Send it again: npx manc commands send {point.id} wake" if command == "wake" else ""
            log(f"{point.id}: {command} failed. {error}{next_step}")
        point.idle_samples = 0
        await asyncio.sleep(pause_s)


async def main() -> None:
    """MANC_URL, MANC_APP and MANC_KEY are the address of the controller, and name and key of the application."""
    task = asyncio.current_task()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, lambda: task and task.cancel())
    try:
        async with AsyncManc() as manc:
            await EnergySaver(manc).run()
    except asyncio.CancelledError:
        log("stopped")
    except MancError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    asyncio.run(main())
