"""Filters of the fleet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from manc._core.wire import Query


class Box(NamedTuple):
    """An area, in degrees."""

    west: float
    south: float
    east: float
    north: float


def fleet_filter(
    ids: Sequence[str] | None,
    area: Box | None,
    unplaced: bool | None,
    technology: Sequence[str] | None,
    state: Sequence[str] | None,
    health: Sequence[str] | None,
    search: str | None,
    emulated: str | None,
) -> Query:
    """The filters by their names on the wire."""
    return {
        "ap_id": ids,
        "bbox": None if area is None else ",".join(str(side) for side in area),
        "unplaced": unplaced,
        "technology": technology,
        "state": state,
        "health": health,
        "q": search,
        "emulated": emulated,
    }
