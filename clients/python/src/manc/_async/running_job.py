"""A job in progress."""

from __future__ import annotations

from typing import Generic, TypeVar

from manc._io._async import Stream
from manc.errors import JobFailed

News = TypeVar("News")


class AsyncRunningJob(Generic[News]):
    """A job in progress and its updates. It can be read once: either by iterating, or with `done()`."""

    def __init__(self, job_number: str, news: Stream[News]) -> None:
        self.job_number = job_number
        self._news = news

    def __aiter__(self) -> Stream[News]:
        """The updates as they arrive."""
        return self._news

    async def done(self) -> News:
        """Waits for the last update and returns it. Raises if the job failed."""
        last: News | None = None
        async for news in self._news:
            last = news
        if last is None:
            raise JobFailed(self.job_number, "read", "The result was already read. Send the request again.")
        return last
