"""Delays between attempts."""

from __future__ import annotations

import random

FIRST_S = 0.25
MAX_S = 10.0


def backoff_s(attempt: int) -> float:
    """Delay after attempt number `attempt`: doubles each time, with jitter so that callers do not retry in step."""
    # 2**6 exceeds the maximum; a large exponent would be a large number.
    return min(MAX_S, FIRST_S * 2.0 ** min(attempt, 6)) * (0.5 + random.random() / 2)
