"""A receiver of notifications that posts them to a chat.

The same as ../chat-webhook.ts, in Python, with the standard library and httpx. For Slack, Mattermost, Rocket.Chat, or
any chat with an incoming webhook that takes {"text": "…"}. It has no account at the controller and needs no scope: the
controller signs each message with a secret. An administrator creates the receiver and a route; the first command
prints the secret:

    npx manc notifications create-receiver '{"name": "Chat", "type": "webhook", "url": "https://hooks.example.org/"}'
    npx manc notifications create-route '{"name": "Chat", "receiver_id": "…", "severities": ["critical"]}'

MANC_WEBHOOK_SECRET is that secret. CHAT_WEBHOOK_URL is the address at the chat, which is a secret too; without it texts
are printed. It listens at HOST (127.0.0.1) and PORT (8090): put a proxy with TLS before it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import signal
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, TypeVar

import httpx

MAX_AGE_S = 300  # Messages that are older are refused: they may have been recorded.
MAX_BYTES = 1_048_576  # A message has at most 100 alarms.
CHAT_TIMEOUT_S = 8  # Less than the controller waits for a response.
MAX_LINES = 10  # Alarms of a message that are listed in the chat; the others are counted.
MAX_REMEMBERED = 1000  # Messages: the controller sends one again if it did not get the response.
# Names of rules are texts of users, and must not become links or mentions such as <!channel> or @all.
ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\u200b"})

SECRET = os.environ.get("MANC_WEBHOOK_SECRET", "").encode()
CHAT_URL = os.environ.get("CHAT_WEBHOOK_URL")
T = TypeVar("T")


def log(line: str) -> None:
    """Prints a line with the time."""
    print(time.strftime("%H:%M:%S", time.gmtime()), line, flush=True)


def is_genuine(headers: Message, body: bytes) -> bool:
    """HMAC-SHA256 of the time, a dot and the body as it was received."""
    sent = headers.get("x-manc-timestamp", "")
    if not sent.isdecimal() or len(sent) > 12 or abs(time.time() - int(sent)) > MAX_AGE_S:
        return False
    expected = "v1=" + hmac.new(SECRET, sent.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("x-manc-signature", "").encode(), expected.encode())


def text_of(notification: dict[str, Any]) -> str:
    """The text for the chat."""
    alerts = notification["alerts"]
    title = "Alarm" if notification["status"] == "firing" else "Cleared"
    lines = [f"{title}: {notification['commonLabels'].get('alertname', 'several rules')}"]
    for each in alerts[:MAX_LINES]:
        state = "open" if each["status"] == "firing" else "cleared"
        lines.append(f"{state}: {each['annotations'].get('summary', '')} {each['generatorURL']}")
    more = max(0, len(alerts) - MAX_LINES) + notification["truncatedAlerts"]
    return "\n".join(lines + [f"and {more} more"] * (more > 0)).translate(ESCAPED)


def post(text: str) -> str | None:
    """The problem, if the chat did not accept the text."""
    if not CHAT_URL:
        log(text)
        return None
    try:
        response = httpx.post(CHAT_URL, json={"text": text}, timeout=CHAT_TIMEOUT_S)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # Without its text, which has the address.
        return f"The chat cannot be reached ({type(error).__name__}). Check CHAT_WEBHOOK_URL."
    problem = f"The chat did not accept the message ({response.status_code}). Check CHAT_WEBHOOK_URL."
    return None if response.is_success else problem


@dataclass
class Delivery:
    """A message that is posted once, by one thread at a time."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    is_posted: bool = False


def remembered(store: OrderedDict[str, T], key: str, value: T) -> T:
    """The value that the key has already, or this one."""
    kept = store.setdefault(key, value)
    while len(store) > MAX_REMEMBERED:
        store.popitem(last=False)
    return kept


class Receiver(BaseHTTPRequestHandler):
    """Answers the controller, which sends a message again after 401 and 502, not after 400, 411 and 413."""

    timeout = 10
    deliveries: ClassVar[OrderedDict[str, Delivery]] = OrderedDict()
    # The ids of messages by their signatures.
    signed: ClassVar[OrderedDict[str, str]] = OrderedDict()
    lock = threading.Lock()

    def do_POST(self) -> None:
        """Verifies a message and posts it."""
        status, text = self.receive()
        if status != 200:
            log(f"refused: {text}")
        self.send_response(status)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def receive(self) -> tuple[int, str]:
        """Status and text of the response."""
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            return 411, "The length of the body is missing. Send it in the header content-length."
        if len(length) > 7 or int(length) > MAX_BYTES:
            return 413, "The body has more than 1 MiB."
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return 401, "The signature or its time is wrong. Compare the secret, and the clocks of both machines."
        given, signature = self.headers.get("x-manc-delivery", ""), self.headers["x-manc-signature"]
        with self.lock:
            # The id is not signed: with another one, a recorded message would be posted again.
            if remembered(self.signed, signature, given) != given:
                return 401, "The signature was used with another id. Keep the id of a message, or sign it again."
            delivery = remembered(self.deliveries, given, Delivery())
        try:
            text = text_of(json.loads(body))
        except (ValueError, LookupError, TypeError, AttributeError):
            return 400, "The body is no notification. Send the JSON of the webhook of Alertmanager."
        # The same message may come twice at the same time. Others do not wait for it.
        with delivery.lock:
            if not delivery.is_posted and (problem := post(text)):
                return 502, problem
            delivery.is_posted = True
        return 200, ""

    def log_message(self, *_arguments: object) -> None:
        """Requests that are accepted are not logged."""


def main() -> None:
    """Serves until it is stopped."""
    if not SECRET:
        next_step = "It is in the response to create-receiver; npx manc notifications rotate-secret ID makes another."
        sys.exit(f"MANC_WEBHOOK_SECRET is not set. {next_step}")
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8090")))
    server = ThreadingHTTPServer(address, Receiver)
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: threading.Thread(target=server.shutdown).start())
    use = "posted to the chat" if CHAT_URL else "printed: CHAT_WEBHOOK_URL is not set"
    log(f"listening at {address[0]}:{address[1]}; messages are {use}")
    server.serve_forever()
    log("stopped")


if __name__ == "__main__":
    main()
