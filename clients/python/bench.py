"""
Reads of one list with the client against bare httpx, in one run: `npm run bench -- python`.

Both read the same pages with the same token. The client also parses them into models.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable

import httpx

from manc import Credentials, KeptToken, Manc

PAGE_SIZE = 1000


def per_second(read: Callable[[], int], seconds: float) -> float:
    """Items per second."""
    began = time.perf_counter()
    items = 0
    while time.perf_counter() - began < seconds:
        items += read()
    return items / (time.perf_counter() - began)


def main() -> None:
    """The last line is one JSON object with a `ratio`."""
    rounds, seconds = (3, 2.0) if "--quick" in sys.argv else (7, 3.0)
    url = os.environ["MANC_TEST_URL"]
    tokens: list[KeptToken] = []
    credentials = Credentials(os.environ["MANC_TEST_USERNAME"], os.environ["MANC_TEST_PASSWORD"])
    with Manc(url, credentials=credentials, on_token=tokens.append) as manc, httpx.Client() as http:
        manc.log_in()
        headers = {"authorization": f"Bearer {tokens[0].access_token}"}

        def ours() -> int:
            return sum(1 for agent in manc.fleet.agents(page_size=PAGE_SIZE) if agent.ap_id)

        def bare() -> int:
            items = 0
            path: str | None = f"/api/v1/fleet/agents?limit={PAGE_SIZE}"
            while path:
                response = http.get(url + path, headers=headers)
                response.raise_for_status()
                items += sum(1 for agent in response.json() if agent["ap_id"])
                following = response.links.get("next")
                path = following["url"] if following else None
            return items

        expected = ours()
        assert expected == bare() > 0
        figures = []
        for number in range(1, rounds + 1):
            mine, theirs = per_second(ours, seconds), per_second(bare, seconds)
            figures.append((mine / theirs, mine, theirs))
            print(f"round {number}: ours {mine:.0f}/s, bare {theirs:.0f}/s, ratio {mine / theirs:.2f}", flush=True)
    ratio, mine, theirs = (statistics.median(column) for column in zip(*figures, strict=True))
    print(
        json.dumps(
            {
                "ratio": round(ratio, 3),
                "ours_per_s": round(mine),
                "bare_per_s": round(theirs),
                "items": expected,
                "rounds": rounds,
            }
        )
    )


if __name__ == "__main__":
    main()
