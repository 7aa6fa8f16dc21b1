"""Certificates of the controller and of the client."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

import pytest

from conftest import Open
from gateway import Gateway, first_of
from manc import Credentials, Manc, MancError, Unreachable
from support import URL


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The files of a certificate that no CA has signed, and of its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    subject = ["-subj", "/CN=gateway", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert]
    subprocess.run([*command, *subject], check=True, capture_output=True)
    return cert, key


def test_a_private_ca_is_trusted_if_it_is_passed_and_refused_at_once_otherwise(
    connect: Open, admin: Credentials, certificate: tuple[str, str]
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with Gateway(URL, first_of("", 0), tls=context) as gateway:
        trusting = connect(gateway.url, credentials=admin, ca_file=certificate[0])
        assert trusting.users.me().username == admin.username
        # If it were retried, the test would end with the time limit of pytest.
        with pytest.raises(Unreachable, match=r"not signed by a trusted CA.*ca_file or MANC_CA_FILE") as error:
            connect(gateway.url, credentials=admin, retry_for_s=3600).users.me()
        assert not error.value.is_retriable


def test_files_that_cannot_be_used_are_named(tmp_path: Path, certificate: tuple[str, str]) -> None:
    url = "https://127.0.0.1:1"
    with pytest.raises(MancError, match="Correct ca_file or MANC_CA_FILE"):
        Manc(url, ca_file=str(tmp_path / "missing.pem"))
    with pytest.raises(MancError, match="belong together"):
        Manc(url, cert_file=certificate[0])
    with pytest.raises(MancError, match="Set a certificate and its key"):
        Manc(url, cert_file=certificate[0], key_file=certificate[0])
