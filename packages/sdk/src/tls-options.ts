/** Certificates are always verified. Not in browsers, which use those of their system. */
export interface TlsOptions {
  /** The certificates (PEM) of the CAs to trust, instead of those of Node.js: for a private or self-signed CA. */
  ca?: string
  /** A client certificate (PEM) and its intermediate certificates, for servers that require one. */
  cert?: string
  /** The private key (PEM, not encrypted) of `cert`. */
  key?: string
}
