"""Executes examples/python/rush_hour.ipynb against the controller of `npm run python -- notebook`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import httpx
import nbformat
from nbclient import NotebookClient

from manc import Credentials, Manc

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples" / "python" / "rush_hour.ipynb"
DURATION_S = 120


def main() -> int:
    """The result is the exit status; an error in a cell is raised."""
    url, username, password = (os.environ[f"MANC_TEST_{name}"] for name in ("URL", "USERNAME", "PASSWORD"))
    with Manc(url, credentials=Credentials(username, password)) as manc:
        emulator = {"app_name": "emulator", "api_key": "a-key", "permissions": {"scopes": ["callbacks:post"]}}
        manc.apps.register(emulator)
    httpx.post(f"{os.environ['MANC_TEST_SUPPORT']}/emulator").raise_for_status()
    os.environ.update(MANC_URL=url, MANC_USERNAME=username, MANC_PASSWORD=password, MANC_DURATION=str(DURATION_S))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=DURATION_S + 120, kernel_name="python3").execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            print(output.get("data", {}).get("text/plain", output.get("text", "")))
    print(f"executed {NOTEBOOK.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
