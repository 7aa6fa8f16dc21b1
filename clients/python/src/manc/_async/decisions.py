"""Decisions of applications."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from manc import models
from manc._async.methods import AsyncDecisionsMethods
from manc._io._async import Stream


class AsyncDecisions(AsyncDecisionsMethods):
    """What applications decide and why, the expected and the measured effect."""

    def export(
        self,
        *,
        owner: str | None = None,
        ap_id: str | None = None,
        client: str | None = None,
        state: Sequence[str] | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
    ) -> Stream[models.Decision]:
        """All matching decisions, newest first, in one response that is read while you iterate."""
        query = {"owner": owner, "ap_id": ap_id, "client": client, "state": state, "from": from_, "to": to}
        return self._transport.lines("exportDecisions", models.Decision, query=query)
