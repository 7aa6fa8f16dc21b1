"""An application that moves load off WiFi: it steers clients of an overloaded access point to 5G or LiFi nearby.

The same as ../steering.ts, in Python. Use it as a template. ../README.md describes how to run it.
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import time
from dataclasses import dataclass

from manc import AsyncManc, MancError, models

# An access point counts as overloaded after SAMPLES above ABOVE_PCT, until it is below UNTIL_PCT.
ABOVE_PCT, UNTIL_PCT, SAMPLES = 80, 60, 3
# Technologies that receive clients: their range in metres, and the clients per handover. Above TARGET_BELOW_PCT none.
TARGETS = {"5G": (300, 30), "LiFi": (20, 4)}
TARGET_BELOW_PCT = 50
# Both access points pause after a handover, until its effect shows in their samples; longer after a failed one.
PAUSE_S, LONG_PAUSE_S = 3.0, 30.0
MAX_WATCHED = 256  # The limit of one subscription.


@dataclass
class Point:
    """An access point that is online."""

    id: str
    technology: str
    position: models.Position
    load_pct: float = math.nan
    clients: int = 0
    high: int = 0  # Consecutive overloaded samples.
    paused_until: float = 0.0

    def distance_if_free(self, target: Point) -> float:
        """In metres; infinite if the target is out of range or has no capacity."""
        here, there = self.position, target.position
        east = (here.longitude - there.longitude) * math.cos(math.radians(here.latitude))
        distance = 111_320 * math.hypot(here.latitude - there.latitude, east)
        in_range = distance <= TARGETS.get(target.technology, (-1, 0))[0]
        is_free = target.load_pct < TARGET_BELOW_PCT and time.monotonic() > target.paused_until
        return distance if in_range and is_free else math.inf


def log(line: str) -> None:
    """Prints a line with the time."""
    print(time.strftime("%H:%M:%S", time.gmtime()), line, flush=True)


async def steer(manc: AsyncManc) -> None:
    """Processes all samples until it is stopped."""
    points: dict[str, Point] = {}
    # Emulated access points of others are listed only on request: those of the demo belong to its administrator.
    async for agent in manc.fleet.agents(state=["online"], emulated="all"):
        if agent.position and len(points) < MAX_WATCHED:
            points[agent.ap_id] = Point(agent.ap_id, agent.technology, agent.position)
    count = {name: sum(each.technology == name for each in points.values()) for name in ("WiFi", "5G", "LiFi")}
    if count["WiFi"] == 0:
        next_step = "Start some, for example with npm run demo, then start this again."
        raise MancError("No WiFi access point is online.", next_step)
    log("watching {WiFi} WiFi access points, with {5G} of 5G and {LiFi} of LiFi around them".format_map(count))
    tasks: set[asyncio.Task[None]] = set()
    async for sample in manc.telemetry.watch(list(points)):
        point = points[sample.agent_id]
        point.load_pct = float(sample.values.get("load_pct", math.nan))
        point.clients = int(float(sample.values.get("clients", 0)))
        # Hysteresis: once overloaded, the load must fall below the lower threshold.
        is_high = point.load_pct > (UNTIL_PCT if point.high > 0 else ABOVE_PCT)
        point.high = point.high + 1 if is_high and point.technology == "WiFi" else 0
        if point.high >= SAMPLES and time.monotonic() > point.paused_until:
            point.paused_until = math.inf
            # Not awaited: samples keep arriving.
            tasks.add(task := asyncio.create_task(relieve(manc, point, points)))
            task.add_done_callback(tasks.discard)


async def relieve(manc: AsyncManc, wifi: Point, points: dict[str, Point]) -> None:
    """One decision: steers some clients to a neighbour, waits for the result and logs it."""
    state = f"{wifi.id} is at {wifi.load_pct:g} % with {wifi.clients} clients"
    free = [each for each in points.values() if wifi.distance_if_free(each) < math.inf]
    if not free:
        wifi.paused_until = time.monotonic() + LONG_PAUSE_S
        return log(f"{state}: no 5G or LiFi in range has capacity")
    target = min(free, key=lambda each: (each.load_pct, wifi.distance_if_free(each)))
    about = f"{target.id} ({wifi.distance_if_free(target):.0f} m, load {target.load_pct:g} %)"
    count = min(TARGETS[target.technology][1], math.ceil(wifi.clients * (1 - UNTIL_PCT / wifi.load_pct)))
    target.paused_until = math.inf
    try:
        job = await manc.commands.send(wifi.id, f"steer_client {target.id} {count}")
        # Raises with the reason if the access point could not execute it.
        log(f"{state}: {(await job.done()).result['steered']} steered to {about}")
        target.paused_until = time.monotonic() + PAUSE_S
    except MancError as error:
        # The next decision chooses another target.
        log(f"{state}: steering to {target.id} failed. {error}")
        target.paused_until = time.monotonic() + LONG_PAUSE_S
    wifi.paused_until = time.monotonic() + PAUSE_S


async def main() -> None:
    """MANC_URL, MANC_APP and MANC_KEY are in the command that npm run demo prints."""
    task = asyncio.current_task()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, lambda: task and task.cancel())
    try:
        async with AsyncManc() as manc:
            await steer(manc)
    except asyncio.CancelledError:
        log("stopped")
    except MancError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    asyncio.run(main())
