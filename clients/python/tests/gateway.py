"""A gateway in front of a controller."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

import httpx


class Gateway:
    """
    Passes every request on, and replaces the responses that `is_lost` selects by 503.

    The controller has done the work, and the caller cannot tell.
    """

    def __init__(
        self,
        target: str,
        is_lost: Callable[[str], bool],
        headers: dict[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.passed_on: list[str] = []
        """`METHOD /path` of the requests."""
        # As long as the client behind it waits: on a busy machine a login takes seconds.
        self._client = httpx.Client(base_url=target, timeout=60)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler(is_lost, headers or {}))
        self._server.daemon_threads = True
        self._scheme = "https" if tls else "http"
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Gateway:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._client.close()

    def _handler(self, is_lost: Callable[[str], bool], lost_headers: dict[str, str]) -> type[BaseHTTPRequestHandler]:
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def _pass_on(self) -> None:
                route = f"{self.command} {self.path.split('?')[0]}"
                gateway.passed_on.append(route)
                length = int(self.headers.get("content-length") or 0)
                passed = ("authorization", "content-type", "idempotency-key")
                response = gateway._client.request(
                    self.command,
                    self.path,
                    content=self.rfile.read(length),
                    headers={name: value for name, value in self.headers.items() if name.lower() in passed},
                )
                is_answered = not is_lost(route)
                body = response.content if is_answered else b""
                self.send_response(response.status_code if is_answered else 503)
                for name, value in lost_headers.items() if not is_answered else ():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = _pass_on

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


def first_of(route: str, times: int) -> Callable[[str], bool]:
    """Selects the first requests of a route."""
    left = times

    def is_lost(each: str) -> bool:
        nonlocal left
        if each != route or left == 0:
            return False
        left -= 1
        return True

    return is_lost
