const untrusted = (caOption: string) =>
  `The certificate of the server is not signed by a trusted CA. Set the file of that CA: ${caOption}.`
const clientCertificate =
  '--cert-file and --client-key-file, MANC_CERT_FILE and MANC_CLIENT_KEY_FILE, in code tls.cert and tls.key'

/** The code of a failed TLS handshake, and what to do about it. An alert is a refusal by the server [RFC 8446, 6.2]. */
const advices: readonly [RegExp, string | ((caOption: string) => string)][] = [
  [
    /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|^CERT_(UNTRUSTED|SIGNATURE_FAILURE)$/,
    untrusted,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'The certificate of the server is for another host name. Use a name that is in the certificate, or add this one to it (subjectAltName).',
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    'The certificate of the server has expired. Renew it, and check the clock of this machine.',
  ],
  [
    /^CERT_NOT_YET_VALID$/,
    'The certificate of the server is not valid yet. Check the clock of this machine.',
  ],
  [
    /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/,
    `The server requires a client certificate. Set one that it accepts: ${clientCertificate}.`,
  ],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN))$/,
    `The server does not accept the client certificate. Set one of a CA that it trusts, which has not expired: ${clientCertificate}.`,
  ],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    'The server does not use TLS on this port. Check the port and the scheme of the address.',
  ],
  [
    /^ERR_OSSL_/,
    `The certificates of this program are not valid PEM. Check the CA file, and ${clientCertificate}.`,
  ],
]

/** What to do about an error of a TLS connection; undefined for any other error. `caOption`: where a CA is set. */
export const tlsAdviceWith =
  (caOption: string) =>
  (error: unknown): string | undefined => {
    for (let each = error; each instanceof Error; each = each.cause) {
      const { code } = each as NodeJS.ErrnoException
      const [, advice] = advices.find(([codes]) => codes.test(code ?? '')) ?? []
      if (advice !== undefined) return typeof advice === 'string' ? advice : advice(caOption)
    }
    return undefined
  }

/** Of a connection to the controller. */
export const tlsAdvice = tlsAdviceWith('--ca-file or MANC_CA_FILE, in code tls.ca')
