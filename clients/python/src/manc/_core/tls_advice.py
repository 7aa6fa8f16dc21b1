"""What to do about errors of TLS connections."""

from __future__ import annotations

import re
import ssl

_CLIENT_CERTIFICATE = "cert_file and key_file, or MANC_CERT_FILE and MANC_CLIENT_KEY_FILE"

_EXPIRED = 10
_NOT_YET_VALID = 9
_OTHER_HOST = 62

# An alert is a refusal by the server [RFC 8446, 6.2].
_REASONS: tuple[tuple[str, str], ...] = (
    (
        r"ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$|CERTIFICATE_REQUIRED$",
        f"The server requires a client certificate. Set one that it accepts: {_CLIENT_CERTIFICATE}.",
    ),
    (
        r"ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN))$",
        "The server does not accept the client certificate. Set one of a CA that it trusts, which has not "
        f"expired: {_CLIENT_CERTIFICATE}.",
    ),
    (
        r"WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE",
        "The server does not use TLS on this port. Check the port and the scheme of the address.",
    ),
)


def tls_advice(error: BaseException) -> str | None:
    """What to do about an error of a TLS connection; None for any other error."""
    each: BaseException | None = error
    while each is not None:
        if isinstance(each, ssl.SSLCertVerificationError):
            return _of_verification(each.verify_code)
        if isinstance(each, ssl.SSLError):
            for pattern, advice in _REASONS:
                if re.search(pattern, each.reason or ""):
                    return advice
        each = each.__cause__ or each.__context__
    return None


def _of_verification(code: int) -> str:
    if code == _EXPIRED:
        return "The certificate of the server has expired. Renew it, and check the clock of this machine."
    if code == _NOT_YET_VALID:
        return "The certificate of the server is not valid yet. Check the clock of this machine."
    if code == _OTHER_HOST:
        return (
            "The certificate of the server is for another host name. Use a name that is in the certificate, or "
            "add this one to it (subjectAltName)."
        )
    return (
        "The certificate of the server is not signed by a trusted CA. Set the file of that CA: ca_file or MANC_CA_FILE."
    )
