import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { TlsOptions } from './tls-options.ts'

/** Paths of PEM files. */
export interface TlsFiles {
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
}

/** A file cannot be used. `message` says which one, and the next step. */
export class InvalidTlsFile extends Error {
  override readonly name = 'InvalidTlsFile'
}

const kinds = {
  ca: ['CA file', '--ca-file or MANC_CA_FILE'],
  cert: ['client certificate', '--cert-file or MANC_CERT_FILE'],
  key: ['client key', '--client-key-file or MANC_CLIENT_KEY_FILE'],
} as const

/** Reads and checks the files; undefined without files. */
export function readTlsFiles({ ca, cert, key }: TlsFiles): TlsOptions | undefined {
  if (ca === undefined && cert === undefined && key === undefined) return undefined
  if ((cert === undefined) !== (key === undefined))
    throw new InvalidTlsFile(
      `A client certificate and its key belong together. Set both: ${kinds.cert[1]}, and ${kinds.key[1]}.`,
    )
  const tls: TlsOptions = {
    ...(ca !== undefined && { ca: certificatesIn('ca', ca) }),
    ...(cert !== undefined && { cert: certificatesIn('cert', cert) }),
    ...(key !== undefined && { key: textOf('key', key) }),
  }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new InvalidTlsFile(
      `The client key ${key} cannot be used with the certificate ${cert} (${(error as Error).message}). Set the key ` +
        'of this certificate, as PEM and without a passphrase.',
    )
  }
  return tls
}

/** Node.js ignores a CA file without certificates. */
function certificatesIn(kind: 'ca' | 'cert', file: string): string {
  const text = textOf(kind, file)
  try {
    void new X509Certificate(text)
    return text
  } catch {
    throw new InvalidTlsFile(
      `The ${kinds[kind][0]} ${file} contains no PEM certificate (-----BEGIN CERTIFICATE-----). Correct ${kinds[kind][1]}.`,
    )
  }
}

function textOf(kind: keyof typeof kinds, file: string): string {
  const [name, option] = kinds[kind]
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidTlsFile(
      `The ${name} ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Correct ${option}, or make the file readable for this program.`,
    )
  }
}
