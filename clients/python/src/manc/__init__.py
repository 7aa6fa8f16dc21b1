"""
Client of MANC, the multi-access network controller.

`Manc` is for programs with threads, `AsyncManc` for asyncio. Both have the same members and methods.
"""

from manc import messages, models
from manc._async.client import AsyncManc
from manc._async.commands import AsyncSentToMany
from manc._async.emulator import AsyncEmulation
from manc._async.running_job import AsyncRunningJob
from manc._core.area import Box
from manc._core.options import Credentials, KeptToken
from manc._sync.client import Manc
from manc._sync.commands import SentToMany
from manc._sync.emulator import Emulation
from manc._sync.running_job import RunningJob
from manc._version import VERSION as __version__
from manc.errors import (
    Conflict,
    Invalid,
    JobFailed,
    MancError,
    NotAllowed,
    NotFound,
    NotLoggedIn,
    Refused,
    SessionEnded,
    SocketClosed,
    TooManyRequests,
    Unavailable,
    Unreachable,
)

__all__ = [
    "AsyncEmulation",
    "AsyncManc",
    "AsyncRunningJob",
    "AsyncSentToMany",
    "Box",
    "Conflict",
    "Credentials",
    "Emulation",
    "Invalid",
    "JobFailed",
    "KeptToken",
    "Manc",
    "MancError",
    "NotAllowed",
    "NotFound",
    "NotLoggedIn",
    "Refused",
    "RunningJob",
    "SentToMany",
    "SessionEnded",
    "SocketClosed",
    "TooManyRequests",
    "Unavailable",
    "Unreachable",
    "__version__",
    "messages",
    "models",
]
