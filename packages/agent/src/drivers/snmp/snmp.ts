import { oneOf } from '@manc/contract'
import Type, { type Static } from 'typebox'
import { whatToWrite } from '../../settings/problems.ts'
import { type DeviceCommands, type Driver, driverKind, type Reading, type Readings } from '../driver.ts'
import { readMap } from '../maps/map-file.ts'
import { MetricReader, type Series } from '../maps/metric-map.ts'
import { interfaceIndex, interfaceNames } from './interfaces.ts'
import {
  mapProblems,
  mapSchema,
  needsInterface,
  readyMaps,
  type Selector,
  type SnmpCommand,
  type SnmpMap,
} from './map.ts'
import { SnmpSession, type SnmpValue } from './session.ts'

const sysUpTime = '1.3.6.1.2.1.1.3.0'
/** In hundredths of a second: the delays of two answers differ. */
const upTimeTolerance = 50

const password = (description: string) =>
  Type.Optional(Type.String({ minLength: 8, maxLength: 256, description }))

const schema = Type.Object(
  {
    driver: Type.Literal('snmp'),
    address: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'the address of the device: "192.0.2.7"',
    }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'its UDP port: 161' })),
    community: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'the community of SNMP v2c: "public"' }),
    ),
    user: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'the user of SNMP v3, instead of a community: "manc"',
      }),
    ),
    auth_protocol: Type.Optional(
      oneOf(
        ['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'],
        '"sha", "sha224", "sha256", "sha384", "sha512" or "md5"',
      ),
    ),
    auth_password: password('the authentication password of the user, at least 8 characters'),
    priv_protocol: Type.Optional(
      oneOf(['des', 'aes', 'aes256b', 'aes256r'], '"aes", "aes256b", "aes256r" or "des"'),
    ),
    priv_password: password('the privacy password of the user, at least 8 characters'),
    context: Type.Optional(Type.String({ maxLength: 255, description: 'the context of SNMP v3' })),
    interface: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'the name of an interface (ifName or ifDescr): "wlan0"',
      }),
    ),
    map: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: `the name of a ready-made map (${Object.keys(readyMaps).join(', ')}), or the path of a file: "/etc/manc-agent/my-map.json"`,
      }),
    ),
    retry_after_s: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 60,
        description: 'seconds until a request is sent again, from 0.1 to 60: 2',
      }),
    ),
  },
  { additionalProperties: false },
)
type Options = Static<typeof schema>

/** Any device with SNMP v2c or v3: counters of an interface, and the values that a map names. */
export const snmp = driverKind({
  name: 'snmp',
  schema,
  describe: ({ address, port = 161, user }) => `${address}:${port} ${user === undefined ? 'v2c' : 'v3'}`,
  resolve(options, path) {
    const named = options.map ?? 'if-mib'
    const { map, files, problems } = readMap(named, `${path}.map`, { ready: readyMaps, schema: mapSchema })
    const found = [...problems]
    if (problems.length === 0) {
      found.push(...mapProblems(map as SnmpMap, named))
      if (needsInterface(map as SnmpMap) && options.interface === undefined)
        found.push(`${path}.interface is missing. Write ${whatToWrite(schema.properties.interface)}`)
    }
    if (options.community !== undefined && options.user !== undefined)
      found.push(`${path}.community is for SNMP v2c, and user for v3. Write one of them.`)
    if (options.community === undefined && options.user === undefined)
      found.push(
        `${path}.community is missing. Write the community of SNMP v2c: "public"; or user, for SNMP v3`,
      )
    if (options.priv_password !== undefined && options.auth_password === undefined)
      found.push(`${path}.auth_password is missing. SNMP v3 has no privacy without authentication.`)
    const technology = (map as SnmpMap | undefined)?.technology
    return {
      options: { ...options, map },
      files,
      problems: found,
      ...(technology !== undefined && found.length === 0 && { technology }),
    }
  },
  open: (options) => new SnmpDriver(options, options.map as unknown as SnmpMap),
})

class SnmpDriver implements Driver {
  readonly #options: Options
  readonly #map: SnmpMap
  readonly #reader: MetricReader<Selector>
  #session: SnmpSession | undefined
  #index: number | undefined
  #upTime: { ticks: number; atMs: number } | undefined
  /** Since `#upTime`. */
  #wasUnreachable = false

  constructor(options: Options, map: SnmpMap) {
    this.#options = options
    this.#map = map
    this.#reader = new MetricReader(map.metrics, 'oid')
  }

  get commands(): DeviceCommands {
    return Object.fromEntries(
      Object.entries(this.#map.commands ?? {}).map(([name, { argument }]) => [
        name,
        argument === undefined ? name : `${name} <${argument}>`,
      ]),
    )
  }

  async read(signal: AbortSignal): Promise<Reading> {
    return this.#withSession(signal, async (session) => {
      await this.#findInterface(session)
      let { values, columns } = await this.#values(session)
      if (this.#hasRestarted(values.get(sysUpTime))) {
        this.#reader.restarted()
        // Interfaces may have other numbers now.
        this.#index = undefined
        await this.#findInterface(session)
        ;({ values, columns } = await this.#values(session))
      }
      const atMs = performance.now()
      const readings: Readings = this.#reader.read(
        (selector) => this.#select(selector, values, columns),
        atMs,
      )
      for (const [name, { oid }] of Object.entries(this.#map.attributes ?? {})) {
        const found = values.get(this.#oid(oid))
        if (found) readings[name] = String(found.value).slice(0, 1000)
      }
      if (Object.keys(readings).length === 0)
        throw new Error('The device has none of the values of the map. Check its OIDs with snmpwalk.')
      return { readings }
    })
  }

  async execute(name: string, args: readonly string[], signal: AbortSignal): Promise<object> {
    const command = this.#map.commands?.[name] as SnmpCommand
    const value = valueToSet(name, command, args)
    return this.#withSession(signal, async (session) => {
      await this.#findInterface(session)
      const oid = this.#oid(command.oid)
      const confirmed = await session.set(oid, command.type, value)
      return { done: name, oid, value: confirmed ? printable(confirmed.value) : value }
    })
  }

  async discover(signal: AbortSignal): Promise<readonly string[]> {
    return this.#withSession(signal, interfaceNames)
  }

  close(): void {
    this.#session?.close()
    this.#session = undefined
  }

  /** A session that has failed is not used again: the engine of a device that has restarted is discovered again. */
  async #withSession<T>(signal: AbortSignal, work: (session: SnmpSession) => Promise<T>): Promise<T> {
    const session = this.#session ?? this.#newSession()
    this.#session = session
    const abort = () => session.close()
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await work(session)
    } catch (error) {
      session.close()
      if (this.#session === session) this.#session = undefined
      this.#wasUnreachable = true
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  #newSession(): SnmpSession {
    const { address, port = 161, community, user, context, retry_after_s: retryAfterS = 2 } = this.#options
    const { auth_protocol, auth_password, priv_protocol, priv_password } = this.#options
    return new SnmpSession({
      address,
      port,
      community,
      user:
        user === undefined
          ? undefined
          : {
              name: user,
              authProtocol: auth_protocol,
              authPassword: auth_password,
              privProtocol: priv_protocol,
              privPassword: priv_password,
            },
      context,
      timeoutMs: retryAfterS * 1000,
    })
  }

  async #findInterface(session: SnmpSession): Promise<void> {
    const { interface: name } = this.#options
    if (name === undefined || this.#index !== undefined) return
    this.#index = await interfaceIndex(session, name)
  }

  /** Single values by OID, and those of walks by the OID above them. */
  async #values(session: SnmpSession) {
    const selectors = this.#reader.selectors
    const single = selectors.filter(({ walk }) => walk !== true)
    const oids = [
      sysUpTime,
      ...single.flatMap(({ oid, or }) => (or === undefined ? [oid] : [oid, or])),
      ...Object.values(this.#map.attributes ?? {}).map(({ oid }) => oid),
    ].map((oid) => this.#oid(oid))
    const values = new Map((await session.get([...new Set(oids)])).map((value) => [value.oid, value]))
    const columns = new Map<string, SnmpValue[]>()
    for (const { oid, walk } of selectors) {
      const column = this.#oid(oid)
      if (walk === true && !columns.has(column)) columns.set(column, await session.walk(column))
    }
    return { values, columns }
  }

  #select(
    { oid, or, walk }: Selector,
    values: ReadonlyMap<string, SnmpValue>,
    columns: ReadonlyMap<string, readonly SnmpValue[]>,
  ): Series[] {
    if (walk === true) return (columns.get(this.#oid(oid)) ?? []).flatMap(seriesOf)
    const found = values.get(this.#oid(oid)) ?? (or === undefined ? undefined : values.get(this.#oid(or)))
    return found ? seriesOf(found) : []
  }

  /**
   * Its time is in hundredths of a second. While the device did not answer, it may have restarted and run longer than before.
   * Also true after 497 days, when the time wraps: rates are then missing in one sample.
   */
  #hasRestarted(upTime: SnmpValue | undefined): boolean {
    if (!upTime) return false
    const [before, now] = [this.#upTime, { ticks: Number(upTime.value), atMs: performance.now() }]
    const wasUnreachable = this.#wasUnreachable
    this.#upTime = now
    this.#wasUnreachable = false
    if (!before) return false
    const passedTicks = wasUnreachable ? (now.atMs - before.atMs) / 10 - upTimeTolerance : 0
    return now.ticks < before.ticks + passedTicks
  }

  #oid(text: string): string {
    return text.replace(/^\./, '').replace('{if}', String(this.#index ?? ''))
  }
}

/** A text that is a number counts: many devices have no other type for decimals. */
function seriesOf({ oid, value, bits }: SnmpValue): Series[] {
  if (typeof value !== 'string') return [{ key: oid, value, bits }]
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? [{ key: oid, value: number }] : []
}

function valueToSet(
  name: string,
  { type, value, argument }: SnmpCommand,
  args: readonly string[],
): string | number {
  const given = argument === undefined ? value : args[0]
  const areValid =
    args.length === (argument === undefined ? 0 : 1) &&
    (argument === undefined || new RegExp(`^(?:${argument})$`).test(args[0] ?? ''))
  if (!areValid || given === undefined)
    throw new Error(
      argument === undefined
        ? `${name} takes no arguments.`
        : `Arguments not allowed. ${name} takes an argument that matches: ${argument}.`,
    )
  if (type === 'string') return String(given)
  const number = Number(given)
  if (!Number.isInteger(number))
    throw new Error(`${name} sets a whole number. Write one instead of ${given}.`)
  return number
}

/** JSON has no large integers. */
const printable = (value: SnmpValue['value']) => (typeof value === 'bigint' ? value.toString() : value)
