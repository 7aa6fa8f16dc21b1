"""Settings of a client, from arguments and from the environment."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from manc.errors import MancError

LoginType = Literal["user", "agent", "third_party_app"]


@dataclass(frozen=True)
class Credentials:
    """Credentials of the caller. With them the token is renewed automatically."""

    username: str
    """The user name, the `ap_id` or the `app_name`."""
    password: str = field(repr=False)
    """The password, or the API key of an app."""
    login_type: LoginType = "user"
    keep_password: bool = True
    """False: the password is discarded after the login. `renew_session()` renews the token of a user without it."""

    @classmethod
    def app(cls, name: str, key: str) -> Credentials:
        """Of a third-party application."""
        return cls(name, key, login_type="third_party_app")


@dataclass(frozen=True)
class KeptToken:
    """A token and the time when it expires, in seconds since 1970."""

    access_token: str = field(repr=False)
    expires_at: float


OnToken = Callable[[KeptToken], None]


@dataclass(frozen=True)
class Options:
    """What both clients take. Built by `options_of`."""

    url: str
    credentials: Credentials | None
    token: KeptToken | None
    on_token: OnToken | None
    retry_for_s: float
    timeout_s: float
    max_response_bytes: int
    ssl_context: ssl.SSLContext | None

    @property
    def origin(self) -> str:
        """The address without a path, for messages."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


def options_of(
    url: str | None,
    *,
    credentials: Credentials | None,
    token: KeptToken | None,
    on_token: OnToken | None,
    retry_for_s: float,
    timeout_s: float,
    max_response_bytes: int,
    ca_file: str | None,
    cert_file: str | None,
    key_file: str | None,
) -> Options:
    """What is not passed is read from the environment."""
    address = _address_of(url or os.environ.get("MANC_URL") or "")
    if credentials is None and token is None:
        credentials, token = _credentials_of_environment()
    is_tls = address.startswith("https:")
    context = (
        _ssl_context(
            ca_file or os.environ.get("MANC_CA_FILE"),
            cert_file or os.environ.get("MANC_CERT_FILE"),
            key_file or os.environ.get("MANC_CLIENT_KEY_FILE"),
        )
        if is_tls
        else None
    )
    return Options(
        url=address,
        credentials=credentials,
        token=token,
        on_token=on_token,
        retry_for_s=retry_for_s,
        timeout_s=timeout_s,
        max_response_bytes=max_response_bytes,
        ssl_context=context,
    )


def _credentials_of_environment() -> tuple[Credentials | None, KeptToken | None]:
    environment = os.environ
    for name, secret, login_type in (
        ("MANC_APP", "MANC_KEY", "third_party_app"),
        ("MANC_USERNAME", "MANC_PASSWORD", "user"),
    ):
        username, password = environment.get(name), environment.get(secret)
        if username and password:
            kind: LoginType = "third_party_app" if login_type == "third_party_app" else "user"
            return Credentials(username, password, login_type=kind), None
        if username or password:
            missing = secret if username else name
            raise MancError(f"{missing} is not set.", f"Set {name} and {secret}, or pass credentials.")
    given = environment.get("MANC_TOKEN")
    # The controller checks its expiry.
    return None, KeptToken(given, float("inf")) if given else None


def _address_of(url: str) -> str:
    if not url:
        raise MancError("There is no address of a controller.", "Pass url, or set MANC_URL.")
    try:
        parts = urlsplit(url)
        # A port that is no number, or too large, is an error here.
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise MancError(
            f"{url.rpartition('@')[2]} is not the URL of a controller.", "Use one like https://manc.example.org."
        )
    if "@" in parts.netloc:
        raise MancError("The URL contains a user name or a password.", "Pass credentials, and a URL without them.")
    # It may be served below a path of its host.
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _ssl_context(ca_file: str | None, cert_file: str | None, key_file: str | None) -> ssl.SSLContext:
    """Certificates are always verified. With a CA file only its CAs are trusted, else those of the system."""
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as error:
        raise MancError(
            f"The CA file {ca_file} cannot be used ({error}).",
            "Correct ca_file or MANC_CA_FILE: a readable file with PEM certificates.",
        ) from error
    if (cert_file is None) != (key_file is None):
        raise MancError(
            "A client certificate and its key belong together.",
            "Set both: cert_file or MANC_CERT_FILE, and key_file or MANC_CLIENT_KEY_FILE.",
        )
    if cert_file is not None:
        try:
            context.load_cert_chain(cert_file, key_file)
        except (OSError, ssl.SSLError) as error:
            raise MancError(
                f"The client certificate {cert_file} cannot be used with the key {key_file} ({error}).",
                "Set a certificate and its key, as PEM and without a passphrase.",
            ) from error
    return context
