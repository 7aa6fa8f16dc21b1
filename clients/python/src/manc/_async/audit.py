"""The audit log."""

from __future__ import annotations

from datetime import datetime

from manc import models
from manc._async.methods import AsyncAuditMethods
from manc._io._async import Stream


class AsyncAudit(AsyncAuditMethods):
    """Record of changes."""

    def export(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        target: str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
    ) -> Stream[models.AuditRecord]:
        """All matching entries, newest first, in one response that is read while you iterate."""
        query = {"actor": actor, "action": action, "target": target, "from": from_, "to": to}
        return self._transport.lines("exportAudit", models.AuditRecord, query=query)
