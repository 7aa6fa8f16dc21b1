import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import Type, { type Static } from 'typebox'
import { whatToWrite } from '../../settings/problems.ts'
import { serialOf } from './devices.ts'

const file = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description })

export const listenerSchema = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'the address of this machine on which it listens, instead of all: "192.0.2.1"',
      }),
    ),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'the port on which it listens: 15002' }),
    ),
    cert_file: file('the file of the certificate of this gateway: "/etc/manc-agent/ucentral.pem"'),
    key_file: file('the file of its key: "/etc/manc-agent/ucentral-key.pem"'),
    client_ca_file: Type.Optional(
      file(
        'the file of the CA that has signed the certificates of the access points: "/etc/manc-agent/devices.pem"',
      ),
    ),
    allow_without_certificate: Type.Optional(
      Type.Boolean({
        description:
          'true, if access points are to be known by their serial numbers alone, which others can use too; or leave it out',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'where access points with the driver ucentral connect: {"cert_file": "/etc/manc-agent/ucentral.pem", "key_file": "/etc/manc-agent/ucentral-key.pem", "client_ca_file": "/etc/manc-agent/devices.pem"}',
  },
)
type ListenerMembers = Static<typeof listenerSchema>

/** With the content of its files: a changed file is a changed setting. */
export interface ListenerOptions {
  /** Undefined: all addresses of this machine. */
  address: string | undefined
  port: number
  cert: string
  key: string
  /** Undefined: access points need no certificate. */
  ca: string | undefined
}

interface ResolvedListener {
  options: ListenerOptions
  files: string[]
  problems: string[]
}

/** The members have been checked against the schema. */
export function resolveListener(members: ListenerMembers, path: string): ResolvedListener {
  const { cert_file: certFile, key_file: keyFile, client_ca_file: caFile } = members
  const problems: string[] = []
  if ((caFile === undefined) !== (members.allow_without_certificate === true))
    problems.push(
      `${path} is invalid. Write either client_ca_file, the CA of the certificates of the access points; or allow_without_certificate: true, if none of them has one.`,
    )
  const read = (name: string, from: string) => {
    try {
      return readFileSync(from, 'utf8')
    } catch (error) {
      problems.push(
        `${path}.${name}: ${from} cannot be read (${(error as NodeJS.ErrnoException).code}). Correct the path, or make the file readable for this program.`,
      )
      return ''
    }
  }
  const cert = read('cert_file', certFile)
  const key = read('key_file', keyFile)
  const ca = caFile === undefined ? undefined : read('client_ca_file', caFile)
  for (const [name, from, text] of [
    ['cert_file', certFile, cert],
    ['client_ca_file', caFile, ca],
  ] as const)
    if (text && !isCertificate(text))
      problems.push(
        `${path}.${name}: ${from} contains no PEM certificate (-----BEGIN CERTIFICATE-----). Write another file.`,
      )
  if (problems.length === 0) problems.push(...keyProblems(cert, key, `${path}.key_file: ${keyFile}`))
  return {
    options: { address: members.address, port: members.port ?? 15_002, cert, key, ca },
    files: [certFile, keyFile, ...(caFile === undefined ? [] : [caFile])],
    problems,
  }
}

function isCertificate(text: string): boolean {
  try {
    void new X509Certificate(text)
    return true
  } catch {
    return false
  }
}

function keyProblems(cert: string, key: string, where: string): string[] {
  try {
    createSecureContext({ cert, key })
    return []
  } catch (error) {
    return [
      `${where} is not the key of the certificate (${(error as Error).message}). Write the key of cert_file, as PEM and without a passphrase.`,
    ]
  }
}

/** Access points that could not connect beside each other, or at all. */
export function serialProblems(
  devices: readonly ({ driver: string } & Record<string, unknown>)[],
  hasListener: boolean,
): string[] {
  const problems: string[] = []
  const seen = new Map<string, number>()
  for (const [n, { driver, serial }] of devices.entries()) {
    if (driver !== 'ucentral' || typeof serial !== 'string') continue
    if (!hasListener) problems.push(`ucentral is missing. Write ${whatToWrite(listenerSchema)}`)
    const before = seen.get(serialOf(serial))
    if (before !== undefined)
      problems.push(
        `access_points[${n}].device.serial is the same as that of access_points[${before}]. Write another, or remove one of them.`,
      )
    else seen.set(serialOf(serial), n)
  }
  return [...new Set(problems)]
}
