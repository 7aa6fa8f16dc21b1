import type { AttachedClient } from '@manc/sdk/agent'
import Type, { type Static } from 'typebox'
import { addressProblems } from '../../settings/problems.ts'
import { type Driver, type DriverContext, driverKind, type Reading } from '../driver.ts'
import { deviceTls, shown } from '../http.ts'
import type { Neighbour } from '../neighbours.ts'
import { ClientList } from './client-list.ts'
import { ControlLink } from './control-link.ts'
import { type BssStatus, type HostapdLink, macPattern } from './link.ts'
import { isReport, reportOf } from './neighbour-report.ts'
import { BssReader } from './readings.ts'
import { steer } from './steering.ts'
import { Ubus } from './ubus.ts'
import { UbusLink } from './ubus-link.ts'

const commandLine = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 100, description })

const schema = Type.Object(
  {
    driver: Type.Literal('hostapd'),
    interface: Type.String({
      pattern: '^[\\w.-]{1,64}$',
      description: 'the interface of the access point: "phy0-ap0"',
    }),
    ubus: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s/]+',
        maxLength: 2000,
        description: 'the address of ubus on the device: "http://192.0.2.7/ubus"',
      }),
    ),
    username: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'the account of rpcd: "manc"' }),
    ),
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'the password of the account' }),
    ),
    ca_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'the file of the CA to trust: "/etc/manc/ca.pem"',
      }),
    ),
    cli: Type.Optional(
      commandLine(
        'instead of ubus, the command line of an interactive hostapd_cli: ["/usr/sbin/hostapd_cli", "-i", "wlan0"]',
      ),
    ),
    iw: Type.Optional(commandLine('the begin of a command line of iw, with cli: ["/usr/sbin/iw"]')),
    neighbours: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 512 }), {
        description:
          'neighbour reports, hexadecimal, of access points that are not in this file: {"wifi-9": "b6a7b9cbeebcaf5900008095090603029b00"}',
      }),
    ),
  },
  { additionalProperties: false },
)
type Options = Static<typeof schema>

/** One BSS of hostapd: OpenWrt through ubus, other Linux access points through hostapd_cli. */
export const hostapd = driverKind({
  name: 'hostapd',
  schema,
  technology: 'WiFi',
  describe: ({ ubus, cli, interface: name }) =>
    `${ubus === undefined ? (cli?.[0] ?? '') : shown(ubus)} ${name}`,
  resolve(options, path) {
    const problems: string[] = []
    const { ubus, cli, neighbours = {} } = options
    if ((ubus === undefined) === (cli === undefined))
      problems.push(
        `${path} is invalid. Write either ubus: "http://192.0.2.7/ubus", or cli: ["/usr/sbin/hostapd_cli", …]`,
      )
    if (ubus !== undefined && (options.username === undefined || options.password === undefined))
      problems.push(`${path}.username and password are missing. Write those of an account of rpcd.`)
    if (ubus !== undefined) {
      const instead = 'write username and password beside it.'
      problems.push(...addressProblems(schema.properties.ubus, ubus, `${path}.ubus`, instead))
    }
    for (const [name, text] of Object.entries(neighbours))
      if (!isReport(text))
        problems.push(
          `${path}.neighbours.${name} is invalid. Write what \`ubus call hostapd.<interface> rrm_nr_get_own\` prints there`,
        )
    return { options, files: [], problems }
  },
  open: (options, context) => new HostapdDriver(options, linkOf(options), context),
})

function linkOf({
  ubus,
  username = '',
  password = '',
  ca_file: caFile,
  cli = [],
  iw,
  interface: name,
}: Options): HostapdLink {
  if (ubus === undefined) return new ControlLink(name, cli, iw)
  return new UbusLink(new Ubus({ url: ubus, username, password, tls: deviceTls(caFile) }), name)
}

class HostapdDriver implements Driver {
  readonly commands = {
    steer_client: 'steer_client <client> <ap_id>',
    disconnect_client: 'disconnect_client <client>',
    set_channel: 'set_channel <MHz>',
  }
  readonly #link: HostapdLink
  readonly #context: DriverContext
  readonly #neighbours: Readonly<Record<string, string>>
  readonly #reader = new BssReader()
  readonly #clients = new ClientList()
  /** BSSID and channel of the announced neighbour report. */
  #announced = ''
  readonly watchClients?: NonNullable<Driver['watchClients']>

  constructor({ neighbours = {} }: Options, link: HostapdLink, context: DriverContext) {
    this.#link = link
    this.#context = context
    this.#neighbours = neighbours
    if (link.watch) this.watchClients = (report, signal) => this.#watch(report, signal)
  }

  async read(signal: AbortSignal): Promise<Reading> {
    const [status, stations] = await Promise.all([this.#link.status(signal), this.#link.stations(signal)])
    const readings = this.#reader.read(status, stations, performance.now())
    await this.#announce(status, signal)
    return { readings, clients: this.#clients.clientsOf(stations, Date.now()) }
  }

  async execute(name: string, args: readonly string[], signal: AbortSignal): Promise<object> {
    const [first = '', second = ''] = args
    if (name === 'steer_client') {
      if (args.length !== 2) throw new Error('Write steer_client <client> <ap_id>.')
      return steer(this.#link, first, { apId: second, ...this.#target(second) }, signal)
    }
    if (name === 'disconnect_client') {
      if (args.length !== 1 || !macPattern.test(first)) throw new Error('Write disconnect_client <client>.')
      await this.#link.disconnect(first.toLowerCase(), signal)
      return { done: name }
    }
    const frequencyMhz = Number(first)
    if (args.length !== 1 || !Number.isInteger(frequencyMhz) || frequencyMhz < 2400 || frequencyMhz > 7200)
      throw new Error('Write set_channel <MHz>, for example set_channel 5180.')
    await this.#link.switchChannel(frequencyMhz, signal)
    return { done: name, frequency_mhz: frequencyMhz }
  }

  discover(signal: AbortSignal): Promise<string[]> {
    return this.#link.discover(signal)
  }

  close(): void {
    this.#context.neighbours.delete(this.#context.apId)
    this.#link.close()
  }

  /** Other access points of this gateway can steer clients here. */
  async #announce(status: BssStatus, signal: AbortSignal): Promise<void> {
    const { bssid, channel, frequencyMhz } = status
    // Stations look for the target on the channel of the report.
    const place = `${bssid} ${channel} ${frequencyMhz}`
    if (bssid === '' || this.#announced === place) return
    const report = (await this.#link.ownReport(signal)) ?? reportOf(status)
    if (report === undefined || !isReport(report)) return
    this.#announced = place
    this.#context.neighbours.set(this.#context.apId, {
      bssid,
      report,
      findStation: async (address, limited) =>
        (await this.#link.stations(limited)).find((each) => each.address === address),
    })
  }

  #target(apId: string): Neighbour {
    const known = this.#context.neighbours.get(apId)
    if (known) return known
    const report = Object.hasOwn(this.#neighbours, apId) ? this.#neighbours[apId] : undefined
    if (report !== undefined) {
      const bssid = report
        .slice(0, 12)
        .replaceAll(/(..)(?=.)/g, '$1:')
        .toLowerCase()
      return { bssid, report }
    }
    const names = [...new Set([...this.#context.neighbours.names, ...Object.keys(this.#neighbours)])]
    throw new Error(
      `${apId} is not known here. Name one of: ${names.filter((each) => each !== this.#context.apId).join(', ')}; or add it to neighbours of the device.`,
    )
  }

  async #watch(report: (clients: readonly AttachedClient[]) => void, signal: AbortSignal): Promise<void> {
    let isReading = false
    await this.#link.watch?.(() => {
      if (isReading) return
      isReading = true
      this.#link
        .stations(signal)
        .then((stations) => report(this.#clients.clientsOf(stations, Date.now())))
        // The next reading has them.
        .catch(() => {})
        .finally(() => {
          isReading = false
        })
    }, signal)
  }
}
