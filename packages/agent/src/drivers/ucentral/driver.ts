import { randomUUID } from 'node:crypto'
import type { AttachedClient } from '@manc/sdk/agent'
import type { Log } from '../../log.ts'
import type { Driver, DriverContext, Reading } from '../driver.ts'
import type { Json } from '../json.ts'
import type { Neighbour } from '../neighbours.ts'
import { Changes } from './changes.ts'
import { configure, disconnectClient, reboot, setChannel, setPower } from './commands.ts'
import { certificateNameOf, type DeviceHandler, serialOf } from './devices.ts'
import { limitedLog } from './limited-log.ts'
import { statusOf } from './messages.ts'
import {
  clientMoveIn,
  configurationIn,
  type Introduction,
  logLineOf,
  stateIn,
  stationsAfter,
} from './notifications.ts'
import { clientsOf, StateReader } from './readings.ts'
import type { Options } from './schema.ts'
import type { Session } from './session.ts'
import { number, type State, type Station } from './state.ts'
import { neighbourOf, steer } from './steering.ts'

/** It connects by itself; a reading waits a little, for `manc-agent check`. */
const connectWithinMs = 5000

interface Arrived {
  state: State
  /** When it arrived, of the clock that never steps and of the date: its durations are of that time. */
  atMs: number
  dateMs: number
}

/** One access point with uCentral. Its connection is made by the access point, and accepted by the listener of the gateway. */
export class UcentralDriver implements Driver, DeviceHandler {
  readonly serial: string
  readonly certificateName: string
  readonly commands: Readonly<Record<string, string>>
  readonly #configurations: Readonly<Record<string, Json>>
  readonly #context: DriverContext
  readonly #log: Log
  /** What the access point writes must not suppress when it was connected. */
  readonly #deviceLog: Log
  readonly #changes = new Changes()
  readonly #reader = new StateReader()
  readonly #watchers = new Set<(clients: readonly AttachedClient[]) => void>()
  readonly #closing = new AbortController()
  #session: Session | undefined
  /** As the access point writes it. */
  #ownSerial = ''
  #about: Record<string, string> = {}
  #sanityPct: number | undefined
  #newest: Arrived | undefined
  #isUnread = false

  constructor(options: Options, configurations: Readonly<Record<string, Json>>, context: DriverContext) {
    this.serial = serialOf(options.serial)
    this.certificateName = certificateNameOf(options.certificate_name ?? options.serial)
    this.#configurations = configurations
    this.#context = context
    this.#log = limitedLog(context.log)
    this.#deviceLog = limitedLog(context.log)
    const names = Object.keys(configurations).join('|')
    this.commands = {
      reboot: 'reboot',
      steer_client: 'steer_client <client> <ap_id>',
      disconnect_client: 'disconnect_client <client>',
      set_channel: 'set_channel <MHz>',
      set_power: 'set_power <dBm> [2G|5G|6G]',
      ...(names !== '' && { configure: `configure <${names}>` }),
    }
    context.ucentral.add(this)
  }

  async read(signal: AbortSignal): Promise<Reading> {
    await this.#connected(signal)
    const { state, atMs, dateMs } = (this.#isUnread && this.#newest) || (await this.#fresh(signal))
    this.#isUnread = false
    const { readings, clients } = this.#reader.read(state, atMs, dateMs)
    this.#announce(state)
    const sanity = this.#sanityPct === undefined ? {} : { sanity_pct: this.#sanityPct }
    return { readings: { ...readings, ...sanity, ...this.#about }, clients }
  }

  async execute(name: string, args: readonly string[], signal: AbortSignal): Promise<object> {
    if (!this.#session) throw new Error(this.#absence)
    const link = { request: this.#request.bind(this) }
    if (name === 'reboot') return reboot(link, signal)
    if (name === 'configure') return configure(link, ...this.#configuration(args), signal)
    if (name === 'disconnect_client') return disconnectClient(link, args, signal)
    const { state } = this.#newest ?? (await this.#fresh(signal))
    if (name === 'set_channel') return setChannel(link, state, args, signal)
    if (name === 'set_power') return setPower(link, state, args, signal)
    const [client = '', apId = ''] = args
    if (args.length !== 2) throw new Error('Write steer_client <client> <ap_id>.')
    const steering = { ...link, bsss: state.bsss, stations: this.#stations.bind(this) }
    return steer(steering, client, { apId, ...this.#target(apId) }, signal)
  }

  async watchClients(
    report: (clients: readonly AttachedClient[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const ended = AbortSignal.any([signal, this.#closing.signal])
    if (ended.aborted) return
    this.#watchers.add(report)
    await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }))
    this.#watchers.delete(report)
  }

  close(): void {
    this.#closing.abort()
    this.#context.neighbours.delete(this.#context.apId)
    this.#context.ucentral.remove(this)
  }

  onConnected(session: Session, { serial, about }: Introduction): void {
    this.#session = session
    this.#forget()
    this.#ownSerial = serial
    this.#about = about
    const { firmware = '' } = about
    this.#log('info', 'access point connected', { serial: this.serial, firmware })
    this.#changes.happened()
    this.#context.onReadable()
  }

  onDisconnected(session: Session, reason: string): void {
    if (this.#session !== session) return
    this.#session = undefined
    this.#forget()
    this.#log('warn', 'access point disconnected', { serial: this.serial, reason })
    this.#changes.happened()
  }

  onNotification(method: string, params: Json): void {
    const uuid = configurationIn(method, params)
    if (uuid !== undefined) this.#about = { ...this.#about, configuration_uuid: uuid }
    const state = stateIn(method, params)
    if (state) {
      this.#isUnread = true
      return this.#arrived({ state, atMs: performance.now(), dateMs: Date.now() })
    }
    const move = clientMoveIn(method, params)
    if (move && this.#newest) {
      const { state: before } = this.#newest
      const stations = stationsAfter(before.stations, move)
      return this.#arrived({ ...this.#newest, state: { ...before, stations } })
    }
    if (method === 'healthcheck') this.#sanityPct = number(params['sanity'])
    const line = logLineOf(method, params)
    if (line) this.#deviceLog('warn', line.message, { ...line.fields })
  }

  #arrived(arrived: Arrived): void {
    const before = this.#newest?.state.stations
    const { stations } = arrived.state
    this.#newest = arrived
    this.#changes.happened()
    if (before && !haveSameAddresses(before, stations))
      for (const report of this.#watchers) report(clientsOf(stations, new Map(), arrived.dateMs))
  }

  /** What another connection has told may no longer be true. */
  #forget(): void {
    this.#newest = undefined
    this.#isUnread = false
    this.#sanityPct = undefined
  }

  async #connected(signal: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(connectWithinMs)
    try {
      await this.#changes.until(() => this.#session, AbortSignal.any([signal, late]))
    } catch (error) {
      throw signal.aborted ? error : new Error(this.#absence)
    }
  }

  get #absence(): string {
    return `The access point with the serial number ${this.serial} is not connected. ${this.#context.ucentral.listening} It connects by itself, after failures within 15 minutes. Check the address and the certificates of the gateway on it.`
  }

  /** Asks for the state; one that comes by itself meanwhile counts too. */
  async #fresh(signal: AbortSignal): Promise<Arrived> {
    const before = this.#newest?.atMs
    const session = this.#session
    let refusal: Error | undefined
    const ending = new AbortController()
    this.#ask(AbortSignal.any([signal, ending.signal])).catch((error: unknown) => {
      refusal = error as Error
      this.#changes.happened()
    })
    try {
      return await this.#changes.until(() => {
        if (this.#session !== session || !session) throw new Error(this.#absence)
        if (this.#newest && this.#newest.atMs !== before) return this.#newest
        if (refusal) throw refusal
        return undefined
      }, signal)
    } finally {
      // It may have sent the state and no answer.
      ending.abort()
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const params = { when: 0, message: 'state', request_uuid: randomUUID() }
    const { error, text } = statusOf(await this.#request('request', params, signal))
    if (error !== 0) throw new Error(`The access point refuses to send its state: ${text || error}.`)
  }

  async #request(method: string, params: Json, signal: AbortSignal): Promise<Json> {
    if (!this.#session) throw new Error(this.#absence)
    return this.#session.request(method, { serial: this.#ownSerial, ...params }, signal)
  }

  async #stations(signal: AbortSignal): Promise<readonly Station[]> {
    return (await this.#fresh(signal)).state.stations
  }

  #configuration([name = '', ...more]: readonly string[]): [string, Json] {
    const document = Object.hasOwn(this.#configurations, name) ? this.#configurations[name] : undefined
    if (!document || more.length > 0)
      throw new Error(`Write configure with one of: ${Object.keys(this.#configurations).join(', ')}.`)
    return [name, document]
  }

  /** Other access points of this gateway can steer clients here. */
  #announce(state: State): void {
    const described = neighbourOf(state)
    if (!described) return
    this.#context.neighbours.set(this.#context.apId, {
      ...described,
      findStation: async (address, signal) =>
        (await this.#stations(signal)).find((each) => each.address === address),
    })
  }

  #target(apId: string): Neighbour {
    const { neighbours, apId: own } = this.#context
    const known = neighbours.get(apId)
    if (known && apId !== own) return known
    const names = neighbours.names.filter((each) => each !== own)
    throw new Error(
      `${apId} is not known here. Name one of the access points of this gateway: ${names.join(', ')}.`,
    )
  }
}

const haveSameAddresses = (a: readonly Station[], b: readonly Station[]): boolean => {
  const addresses = new Set(a.map(({ address }) => address))
  return a.length === b.length && b.every(({ address }) => addresses.has(address))
}
