"""Events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from manc import models
from manc._async.methods import AsyncEventsMethods
from manc._core.socket import follow_events
from manc._io._async import Stream


class AsyncEvents(AsyncEventsMethods):
    """What happened in the network."""

    def export(
        self,
        *,
        ap_id: str | None = None,
        kind: Sequence[str] | None = None,
        severity: Sequence[str] | None = None,
        emulated: str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
    ) -> Stream[models.NetworkEvent]:
        """All matching events, newest first, in one response that is read while you iterate."""
        query = {
            "ap_id": ap_id,
            "kind": kind,
            "severity": severity,
            "emulated": emulated,
            "from": from_,
            "to": to,
        }
        return self._transport.lines("exportEvents", models.NetworkEvent, query=query)

    def follow(
        self,
        *,
        after: str | None = None,
        ap_id: str | None = None,
        kind: Sequence[str] | None = None,
        severity: Sequence[str] | None = None,
        emulated: str | None = None,
        on_gap: Callable[[], None] | None = None,
        on_start: Callable[[], None] | None = None,
    ) -> Stream[models.NetworkEvent]:
        """
        Events as they happen, each once, until the iteration stops. After an outage it continues behind the last event.

        `after` is the id of the last event that you have; without it, the first one is the next that happens. `on_gap`
        is called if events are missing, because `after` has expired: then read the list. `on_start` is called once,
        when the stream has started: from then on no event is missed.
        """
        filters = {"ap_id": ap_id, "kind": kind, "severity": severity, "emulated": emulated}
        return self._transport.iterate(
            follow_events(self._transport.core, filters=filters, after=after, on_gap=on_gap, on_start=on_start)
        )
