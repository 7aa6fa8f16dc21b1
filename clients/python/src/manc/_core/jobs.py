"""What the messages of a job mean, by kind of job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manc._core.core import Core
from manc._core.effects import Emit, Flow
from manc._core.socket import read_job
from manc._core.wire import converted, converted_list
from manc.errors import JobFailed
from manc.messages import CommandNews, CommandOutcome, JobMessage, JobNews, ManyNews

_ENDED = {
    "failed": "The agent could not execute the command.",
    "expired": "The agent was not connected. Check that it is online, and send the command again.",
    "timed_out": "The agent received the command but did not report a result. Check its telemetry before you send it "
    "again.",
    "superseded": "An application with a higher priority has reserved the agent.",
    "skipped": "The command was cancelled.",
}


def messages_of(core: Core, job_number: str, after: int = 0) -> Flow[None]:
    """Emits all messages on the socket of a job."""

    def take(message: JobMessage) -> Flow[None]:
        yield Emit([message])

    return read_job(core, job_number, take, after)


def items_of(
    core: Core,
    job_number: str,
    item: type[Any],
    on_skipped: Callable[[int], None] | None = None,
) -> Flow[None]:
    """Emits the items of a result that arrives in several messages. Raises if the job failed."""

    def take(message: JobMessage) -> Flow[None]:
        if message.skipped and on_skipped:
            on_skipped(message.skipped)
        if message.type == "state":
            _raise_if_failed(message)
        else:
            yield Emit(converted_list(item, message.data))

    return read_job(core, job_number, take)


def requested_items(
    core: Core,
    request: Flow[Any],
    item: type[Any],
    on_skipped: Callable[[int], None] | None = None,
) -> Flow[None]:
    """As `items_of`, for a request that answers with a job number."""
    accepted = yield from request
    yield from items_of(core, accepted.job_number, item, on_skipped)


def command_news(core: Core, job_number: str) -> Flow[None]:
    """Emits the states of a command to one agent. Raises if it was not executed."""

    def take(message: JobMessage) -> Flow[None]:
        data = message.data if message.type == "result" else [message.data]
        news: CommandNews = converted_list(CommandNews, data)[0]
        yield Emit([news])
        if message.final and news.state != "succeeded":
            ended = _ENDED.get(news.state, f"The command ended as {news.state}.")
            raise JobFailed(message.job_number, news.state, news.detail or ended)

    return read_job(core, job_number, take)


def many_news(core: Core, job_number: str) -> Flow[None]:
    """Emits the progress of a command to many agents, and finally all outcomes."""

    def take(message: JobMessage) -> Flow[None]:
        if message.type == "result":
            yield Emit([ManyNews(outcomes=converted_list(CommandOutcome, message.data))])
            return
        news = converted(JobNews, message.data)
        if message.final:
            raise JobFailed(message.job_number, news.state, news.detail or f"The command ended as {news.state}.")
        if news.progress:
            yield Emit([ManyNews(progress=news.progress)])

    return read_job(core, job_number, take)


def _raise_if_failed(message: JobMessage) -> None:
    """The last message is either the result, or a state with the reason why there is no result."""
    if not message.final:
        return
    news = converted(JobNews, message.data)
    detail = news.detail or f"The job ended as {news.state}. Send the request again."
    raise JobFailed(message.job_number, news.state, detail)
