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

/** Reads and checks the files; undefined without files. `caOption`: where the CA file is set, for messages. */
export function readTlsFiles(
  { ca, cert, key }: TlsFiles,
  caOption: string = kinds.ca[1],
): TlsOptions | undefined {
  if (ca === undefined && cert === undefined && key === undefined) return undefined
  if ((cert === undefined) !== (key === undefined))
    throw new InvalidTlsFile(
      `A client certificate and its key belong together. Set both: ${kinds.cert[1]}, and ${kinds.key[1]}.`,
    )
  const tls: TlsOptions = {
    ...(ca !== undefined && { ca: certificatesIn('ca', ca, caOption) }),
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
function certificatesIn(kind: 'ca' | 'cert', file: string, option: string = kinds[kind][1]): string {
  const text = textOf(kind, file, option)
  try {
    void new X509Certificate(text)
    return text
  } catch {
    throw new InvalidTlsFile(
      `The ${kinds[kind][0]} ${file} contains no PEM certificate (-----BEGIN CERTIFICATE-----). Correct ${option}.`,
    )
  }
}

function textOf(kind: keyof typeof kinds, file: string, option: string = kinds[kind][1]): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidTlsFile(
      `The ${kinds[kind][0]} ${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Correct ${option}, or make the file readable for this program.`,
    )
  }
}
