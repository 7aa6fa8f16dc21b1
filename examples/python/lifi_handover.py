"""An application that hands clients over before their light is blocked.

The same as ../lifi-handover.ts, in Python. Where the blockages of a LiFi access point follow a period, as those of a
door or a machine do, it moves its clients to WiFi or 5G nearby shortly before the next one is due.

Without --act it sends no command and prints what it would do. Scopes: agents:read and metrics:read; with --act also
commands:send. Register it in the sandbox first, where it sees emulated access points only:

    npx manc apps register lifi-handover --sandbox --scopes agents:read,metrics:read
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import time
from dataclasses import dataclass, field

from manc import AsyncManc, MancError, models

TOLERANCE_S = 3.0  # Two intervals between blockages that differ by less are a period.
AHEAD_S = 4.0  # Handovers begin so long before a blockage: time for the command and for the clients.
# Technologies that receive clients, with their ranges in metres. Above TARGET_BELOW_PCT they receive none.
TARGETS = {"WiFi": 40, "5G": 300}
TARGET_BELOW_PCT = 70
MAX_WATCHED = 256  # The limit of one subscription.
ACT = "--act" in sys.argv


@dataclass
class Point:
    """An access point that is online."""

    id: str
    technology: str
    position: models.Position
    load_pct: float = math.nan
    clients: int = 0
    is_on: bool = False
    # None before the first sample: a blockage that began earlier has no known begin.
    is_blocked: bool | None = None
    # When the last three blockages began, the newest first.
    begins: list[float] = field(default_factory=list)
    # The expected blockage for which clients were handed over.
    handled: float = 0.0

    def next_blockage(self) -> float:
        """Not a number where no period is known."""
        if len(self.begins) < 3:
            return math.nan
        last, second, third = self.begins
        return 2 * last - second if abs((last - second) - (second - third)) <= TOLERANCE_S else math.nan

    def distance(self, other: Point) -> float:
        """In metres."""
        here, there = self.position, other.position
        east = (here.longitude - there.longitude) * math.cos(math.radians(here.latitude))
        return 111_320 * math.hypot(here.latitude - there.latitude, east)


def log(line: str) -> None:
    """Prints a line with the time."""
    print(time.strftime("%H:%M:%S", time.gmtime()), line, flush=True)


async def watch(manc: AsyncManc) -> None:
    """Processes all samples until it is stopped. Times are those of the samples: clocks need not agree."""
    points: dict[str, Point] = {}
    # Emulated access points of others are listed only on request: those of the demo belong to its administrator.
    async for agent in manc.fleet.agents(state=["online"], emulated="all"):
        if agent.position and len(points) < MAX_WATCHED:
            points[agent.ap_id] = Point(agent.ap_id, agent.technology, agent.position)
    lamps = sum(each.technology == "LiFi" for each in points.values())
    if lamps == 0:
        next_step = "Start some, for example with npm run demo, and start this again."
        raise MancError("No LiFi access point is online.", next_step)
    mode = "" if ACT else "; without --act no command is sent"
    log(f"watching {lamps} of LiFi and {len(points) - lamps} others{mode}")
    tasks: set[asyncio.Task[None]] = set()
    async for sample in manc.telemetry.watch(list(points)):
        point, at = points[sample.agent_id], sample.time.timestamp()
        point.load_pct = float(sample.values.get("load_pct", math.nan))
        point.clients = int(float(sample.values.get("clients", 0)))
        # An access point whose radio is off has an uptime of 0. Some do not measure it.
        point.is_on = float(sample.values.get("uptime_s", math.nan)) != 0
        if point.technology != "LiFi":
            continue
        is_blocked = float(sample.values.get("blockage", 0)) > 0
        if is_blocked and point.is_blocked is False:
            point.begins = [at, *point.begins][:3]
        point.is_blocked = is_blocked
        expected = point.next_blockage()
        is_due = expected - AHEAD_S <= at < expected
        if is_due and not is_blocked and point.clients > 0 and point.handled != expected:
            point.handled = expected
            # Not awaited: samples keep arriving.
            reason = f"blockage expected in {expected - at:.1f} s"
            tasks.add(task := asyncio.create_task(hand_over(manc, point, points, reason)))
            task.add_done_callback(tasks.discard)


async def hand_over(manc: AsyncManc, lamp: Point, points: dict[str, Point], reason: str) -> None:
    """Moves all clients to the least loaded neighbour."""
    in_range = [each for each in points.values() if lamp.distance(each) <= TARGETS.get(each.technology, -1)]
    free = [each for each in in_range if each.is_on and each.load_pct < TARGET_BELOW_PCT]
    about, count = f"{lamp.id}: {reason}", lamp.clients
    if not free:
        return log(f"{about}, but no WiFi or 5G in range has capacity for {count} clients")
    target = min(free, key=lambda each: each.load_pct)
    to = f"{target.id} (load {target.load_pct:g} %)"
    if not ACT:
        return log(f"{about}, would hand {count} clients over to {to}")
    try:
        job = await manc.commands.send(lamp.id, f"steer_client {target.id} {count}")
        # Raises with the reason if the access point could not execute it.
        log(f"{about}, {(await job.done()).result['steered']} of {count} clients handed over to {to}")
    except MancError as error:
        log(f"{about}, but the handover to {to} failed. {error}")


async def main() -> None:
    """MANC_URL, MANC_APP and MANC_KEY are the address of the controller, and name and key of the application."""
    task = asyncio.current_task()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, lambda: task and task.cancel())
    try:
        async with AsyncManc() as manc:
            await watch(manc)
    except asyncio.CancelledError:
        log("stopped")
    except MancError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    asyncio.run(main())
