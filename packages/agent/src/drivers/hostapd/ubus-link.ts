import { isObject, type Json, objectOf } from '../json.ts'
import type { Neighbour } from '../neighbours.ts'
import { type BssStatus, type HostapdLink, macPattern, type Station, type TransitionAnswer } from './link.ts'
import { preferred } from './neighbour-report.ts'
import { type Ubus, type UbusEvent, UbusRefused } from './ubus.ts'

/** Reason code [IEEE 802.11, 9.4.1.7]: the access point cannot handle all stations. */
const tooManyStations = 5
/** Status code of a transition that is refused without a reason [IEEE 802.11, table 9-428]. */
const unspecified = 1

/** A BSS of OpenWrt: the object `hostapd.<interface>` of ubus. */
export class UbusLink implements HostapdLink {
  readonly #ubus: Ubus
  readonly #interface: string

  constructor(ubus: Ubus, name: string) {
    this.#ubus = ubus
    this.#interface = name
  }

  async status(signal: AbortSignal): Promise<BssStatus> {
    const [status, radio] = await Promise.all([this.#hostapd('get_status', {}, signal), this.#radio(signal)])
    return { ...parseStatus(status), txPowerDbm: number(radio['txpower']), noiseDbm: noiseOf(radio['noise']) }
  }

  async stations(signal: AbortSignal): Promise<Station[]> {
    return parseClients(await this.#hostapd('get_clients', {}, signal))
  }

  async ownReport(signal: AbortSignal): Promise<string | undefined> {
    try {
      const { value } = await this.#hostapd('rrm_nr_get_own', {}, signal)
      return Array.isArray(value) && typeof value[2] === 'string' ? value[2] : undefined
    } catch (error) {
      // Without 802.11k there is none.
      if (error instanceof UbusRefused) return undefined
      throw error
    }
  }

  async requestTransition(
    address: string,
    to: Neighbour,
    withinMs: number,
    signal: AbortSignal,
  ): Promise<TransitionAnswer | undefined> {
    const ending = new AbortController()
    const limited = AbortSignal.any([signal, ending.signal])
    try {
      // Before the request: the answer may come within milliseconds.
      const events = await this.#ubus.subscribe(this.#object, limited)
      await this.#hostapd(
        'bss_transition_request',
        {
          addr: address,
          disassociation_imminent: false,
          disassociation_timer: 0,
          validity_period: 255,
          neighbors: [preferred(to.report)],
          abridged: true,
        },
        signal,
      )
      return events ? await answerFrom(events, address, withinMs) : {}
    } finally {
      ending.abort()
    }
  }

  async switchChannel(frequencyMhz: number, signal: AbortSignal): Promise<void> {
    await this.#hostapd('switch_chan', { freq: frequencyMhz, bcn_count: 10 }, signal)
  }

  async disconnect(address: string, signal: AbortSignal): Promise<void> {
    await this.#hostapd(
      'del_client',
      { addr: address, reason: tooManyStations, deauth: true, ban_time: 0 },
      signal,
    )
  }

  discover(signal: AbortSignal): Promise<string[]> {
    return this.#ubus.list('hostapd.*', signal)
  }

  close(): void {}

  get #object(): string {
    return `hostapd.${this.#interface}`
  }

  #hostapd(method: string, args: object, signal: AbortSignal): Promise<Json> {
    return this.#ubus.call(this.#object, method, args, signal)
  }

  /** Power and noise are from iwinfo, which an account may not be allowed to use. */
  async #radio(signal: AbortSignal): Promise<Json> {
    try {
      return await this.#ubus.call('iwinfo', 'info', { device: this.#interface }, signal)
    } catch (error) {
      if (error instanceof UbusRefused) return {}
      throw error
    }
  }
}

async function answerFrom(
  events: AsyncIterable<UbusEvent>,
  address: string,
  withinMs: number,
): Promise<TransitionAnswer | undefined> {
  const answer = (async () => {
    for await (const { name, data } of events) {
      if (name !== 'bss-transition-response' || String(data['address']).toLowerCase() !== address) continue
      const target = data['target-bssid']
      return {
        status: number(data['status-code']) ?? unspecified,
        ...(typeof target === 'string' && { target: target.toLowerCase() }),
      }
    }
    return undefined
  })()
  // Aborted after the time, which ends the request.
  answer.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), withinMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** `get_status`. `utilization` is 0 to 255. */
export function parseStatus(status: Json): BssStatus {
  const airtime = objectOf(status['airtime'])
  const [activeMs, busyMs, octet] = ['time', 'time_busy', 'utilization'].map((name) => number(airtime[name]))
  return {
    bssid: typeof status['bssid'] === 'string' ? status['bssid'].toLowerCase() : '',
    ssid: typeof status['ssid'] === 'string' ? status['ssid'] : undefined,
    channel: number(status['channel']),
    frequencyMhz: number(status['freq']),
    ...(octet !== undefined && { utilisation: Math.min(1, octet / 255) }),
    ...(activeMs !== undefined && busyMs !== undefined && activeMs > 0 && { airtime: { activeMs, busyMs } }),
  }
}

/** `get_clients`. Rates are in kbit/s. Bit 19 of the extended capabilities is BSS transition. */
export function parseClients({ clients }: Json): Station[] {
  return Object.entries(objectOf(clients)).flatMap(([address, client]) => {
    if (!isObject(client) || !macPattern.test(address)) return []
    if (client['assoc'] === false || client['authorized'] === false) return []
    const bytes = objectOf(client['bytes'])
    const rate = number(objectOf(client['rate'])['tx'])
    const capabilities = client['extended_capabilities']
    return [
      {
        address: address.toLowerCase(),
        signalDbm: number(client['signal']),
        rxBytes: number(bytes['rx']),
        txBytes: number(bytes['tx']),
        rateMbps: rate === undefined ? undefined : rate / 1000,
        connectedS: number(client['connected_time']),
        canTransition: Array.isArray(capabilities)
          ? ((Number(capabilities[2] ?? 0) >> 3) & 1) === 1
          : undefined,
      },
    ]
  })
}

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** iwinfo reports 0 where the driver does not know the noise. */
const noiseOf = (value: unknown): number | undefined => (value === 0 ? undefined : number(value))
