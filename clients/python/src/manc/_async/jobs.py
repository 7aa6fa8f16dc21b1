"""Jobs."""

from __future__ import annotations

from manc import models
from manc._async.methods import AsyncJobsMethods
from manc._core.jobs import messages_of
from manc._io._async import Stream
from manc.messages import JobMessage


class AsyncJobs(AsyncJobsMethods):
    """Asynchronous requests and their state."""

    def read(self, job_number: str, *, after: int = 0) -> Stream[JobMessage]:
        """All messages on the job's socket, after this one."""
        return self._transport.iterate(messages_of(self._transport.core, job_number, after))

    def results(self, job_number: str, *, after: int | None = None, page_size: int = 100) -> Stream[models.JobResult]:
        """
        The messages of a job again, also those that were delivered. Delivers nothing and changes nothing.

        `data` is None if a message was not kept; `detail` says why. Read page by page while you iterate.
        """
        return self._transport.pages(
            "listJobResults",
            models.JobResult,
            params={"job_number": job_number},
            query={"limit": page_size, "after": after},
        )
