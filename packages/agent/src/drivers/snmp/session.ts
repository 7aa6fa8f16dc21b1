import { isIPv6 } from 'node:net'
import snmp, { type Varbind } from 'net-snmp'

/** Version 3 if there is a user, otherwise 2c. */
interface SnmpAddress {
  address: string
  port: number
  community: string | undefined
  user:
    | {
        name: string
        authProtocol: string | undefined
        authPassword: string | undefined
        privProtocol: string | undefined
        privPassword: string | undefined
      }
    | undefined
  context: string | undefined
  /** Of one attempt. */
  timeoutMs: number
}

export interface SnmpValue {
  oid: string
  /** Counters of 64 bits are exact; texts are of strings, addresses and OIDs. */
  value: number | bigint | string
  bits?: 32 | 64
}

type SetType = 'integer' | 'gauge' | 'string'

const oidsPerRequest = 20
const maxRepetitions = 20
const maxRows = 10_000
const { Counter32, Counter64, OctetString, Opaque } = snmp.ObjectType
const setTypes: Record<SetType, number | undefined> = {
  integer: snmp.ObjectType['Integer'],
  gauge: snmp.ObjectType['Gauge'],
  string: OctetString,
}

/** Requests to one agent over UDP. This is the only file that imports the library. */
export class SnmpSession {
  readonly #session: ReturnType<typeof snmp.createSession>
  readonly #where: string
  readonly #advice: string
  readonly #timeoutMs: number
  #isClosed = false

  constructor(to: SnmpAddress) {
    const { address, port, community, user, context, timeoutMs } = to
    this.#where = isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
    this.#timeoutMs = timeoutMs
    this.#advice = user
      ? 'Check the address, UDP access, and the privacy password: a wrong one gets no answer.'
      : 'Check the address, UDP access, and the community: a wrong one gets no answer.'
    const options = {
      port,
      // The next reading is the retry, except for one lost packet.
      retries: 1,
      timeout: timeoutMs,
      transport: isIPv6(address) ? ('udp6' as const) : ('udp4' as const),
      ...(context !== undefined && { context }),
    }
    this.#session = user
      ? snmp.createV3Session(address, userOf(user), { ...options, version: snmp.Version3 })
      : snmp.createSession(address, community ?? '', { ...options, version: snmp.Version2c })
    // Of its socket. Requests time out, and say so.
    this.#session.on('error', () => {})
  }

  /** Values that the agent does not have are left out. */
  async get(oids: readonly string[]): Promise<SnmpValue[]> {
    const values: SnmpValue[] = []
    for (let from = 0; from < oids.length; from += oidsPerRequest) {
      const some = oids.slice(from, from + oidsPerRequest)
      const varbinds = await this.#request<Varbind[]>((done) => this.#session.get([...some], done))
      values.push(...varbinds.flatMap(valueOf))
    }
    return values
  }

  /** All values below an OID, at most 10,000. */
  async walk(oid: string): Promise<SnmpValue[]> {
    const values: SnmpValue[] = []
    await this.#request<undefined>((done) =>
      this.#session.subtree(
        oid,
        maxRepetitions,
        (varbinds) => {
          values.push(...varbinds.flatMap(valueOf))
          return values.length >= maxRows || this.#isClosed
        },
        (error) => done(error ?? null, undefined),
      ),
    )
    return values
  }

  /** Returns what the agent confirms. */
  async set(oid: string, type: SetType, value: string | number): Promise<SnmpValue | undefined> {
    const number = setTypes[type] as number
    const varbinds = await this.#request<Varbind[]>((done) =>
      this.#session.set([{ oid, type: number, value }], done),
    )
    return varbinds.flatMap(valueOf)[0]
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#session.close()
  }

  #request<T>(send: (done: (error: Error | null, result?: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error(`The connection to ${this.#where} is closed.`))
      try {
        send((error, result) => (error ? reject(this.#explained(error)) : resolve(result as T)))
      } catch (error) {
        reject(this.#explained(error as Error))
      }
    })
  }

  #explained(error: Error): Error {
    if (error.name === 'RequestTimedOutError')
      return new Error(
        `${this.#where} did not answer twice within ${this.#timeoutMs / 1000} s. ${this.#advice}`,
      )
    if (error.name === 'ResponseInvalidError')
      return new Error(
        `${this.#where} refused the request: ${error.message}. Check user, protocols and passwords.`,
      )
    if (error.name === 'RequestFailedError')
      return new Error(
        `${this.#where} refused the request: ${error.message}. Check the OID and the access rights.`,
      )
    return new Error(`${this.#where}: ${error.message}. Check the address of the device.`)
  }
}

function userOf({
  name,
  authProtocol,
  authPassword,
  privProtocol,
  privPassword,
}: NonNullable<SnmpAddress['user']>) {
  const { noAuthNoPriv, authNoPriv, authPriv } = snmp.SecurityLevel
  if (authPassword === undefined) return { name, level: noAuthNoPriv }
  const authentication = {
    authProtocol: snmp.AuthProtocols[authProtocol ?? 'sha'] as number,
    authKey: authPassword,
  }
  if (privPassword === undefined) return { name, level: authNoPriv, ...authentication }
  return {
    name,
    level: authPriv,
    ...authentication,
    privProtocol: snmp.PrivProtocols[privProtocol ?? 'aes'] as number,
    privKey: privPassword,
  }
}

function valueOf(varbind: Varbind): SnmpValue[] {
  const { oid, type, value } = varbind
  if (snmp.isVarbindError(varbind)) return []
  if (type === Counter64) return [{ oid, value: unsigned(value as Buffer), bits: 64 }]
  if (typeof value === 'number') return [{ oid, value, ...(type === Counter32 && { bits: 32 as const }) }]
  if (Buffer.isBuffer(value)) return type === Opaque ? [] : [{ oid, value: value.toString('utf8') }]
  return typeof value === 'string' ? [{ oid, value }] : []
}

/** Big-endian, without leading zeros, or with one more octet for the sign. */
const unsigned = (bytes: Buffer): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`))
