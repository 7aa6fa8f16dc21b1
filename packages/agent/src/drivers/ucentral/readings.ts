import { signalRanges } from '@manc/contract/kpis'
import type { AttachedClient } from '@manc/sdk/agent'
import type { Reading, Readings } from '../driver.ts'
import { Counters } from '../maps/counters.ts'
import { combined } from '../maps/metric-map.ts'
import type { Radio, State, Station } from './state.ts'

const [worstSnrDb, bestSnrDb] = signalRanges.WiFi
/** A loss of 1 of 2 packets says nothing. */
const minPackets = 100

interface Continuing {
  /** Seconds since the boot, the start of each network, and the association of each station. */
  uptimeS: number | undefined
  bsss: Map<string, number | undefined>
  stations: Map<string, number | undefined>
}

/** Computes KPIs from states, one after the other. */
export class StateReader {
  readonly #counters = new Counters()
  #before: Continuing = { uptimeS: undefined, bsss: new Map(), stations: new Map() }

  /** `dateMs` is the date at which the state arrived. */
  read(state: State, atMs: number, dateMs: number): Reading {
    this.#counters.next()
    if (isRestarted(this.#before.uptimeS, state.uptimeS)) this.#counters.reset()
    const isFirst = this.#counters.increase('states', { value: 0 }, atMs) === undefined
    const rates = new Map(state.stations.map((each) => [each.address, this.#stationRates(each, atMs)]))
    const down = this.#throughput(state, 'txBytes', rates, isFirst, atMs)
    const up = this.#throughput(state, 'rxBytes', rates, isFirst, atMs)
    const loads = state.radios.map((radio, n) => this.#load(radio, n, atMs))
    const snr = mean(state.stations.map((station) => snrOf(station, state.radios)))
    const { stations, bsss } = state
    const readings = known({
      clients: stations.length,
      throughput_mbps: down === undefined || up === undefined ? undefined : rounded(down + up, 3),
      throughput_down_mbps: down,
      throughput_up_mbps: up,
      load_pct: mean(loads),
      packet_loss_pct: this.#loss(stations, atMs),
      signal_quality: snr === undefined ? undefined : quality(snr),
      snr_db: snr,
      rssi_dbm: mean(stations.map(({ signalDbm }) => signalDbm)),
      phy_rate_mbps: mean(stations.map(({ rateMbps }) => rateMbps)),
      uptime_s: state.uptimeS,
      cpu_load_pct: digits(state.cpuLoadPct, 1),
      memory_usage_pct: digits(state.memoryUsagePct, 1),
      temperature_c: digits(state.temperatureC, 1),
      ssid:
        [...new Set(bsss.flatMap(({ ssid = '' }) => (ssid === '' ? [] : [ssid])))].join(', ') || undefined,
      bssid: bsss.length === 1 ? bsss[0]?.bssid || undefined : undefined,
      ...radioReadings(state, loads),
    })
    this.#before = {
      uptimeS: state.uptimeS,
      bsss: new Map(bsss.map(({ bssid, uptimeS }) => [bssid, uptimeS])),
      stations: new Map(stations.map((each) => [keyOf(each), each.connectedS])),
    }
    return { readings, clients: clientsOf(stations, rates, dateMs) }
  }

  /** In Mbit/s. Interfaces also count what is sent to stations that have left meanwhile. */
  #throughput(
    { bsss, stations }: State,
    name: 'rxBytes' | 'txBytes',
    ofStations: ReadonlyMap<string, StationRates>,
    isFirst: boolean,
    atMs: number,
  ): number | undefined {
    const areCounted = bsss.length > 0 && bsss.every((bss) => bss[name] !== undefined)
    const rates = areCounted
      ? bsss.map(({ bssid, uptimeS, [name]: value = 0 }) =>
          this.#mbps(`bss ${bssid} ${name}`, value, isRestarted(this.#before.bsss.get(bssid), uptimeS), atMs),
        )
      : stations.map(({ address }) => ofStations.get(address)?.[name])
    if (isFirst) return undefined
    return rounded(
      combined(
        rates.filter((rate) => rate !== undefined),
        'sum',
      ) ?? 0,
      3,
    )
  }

  #stationRates(station: Station, atMs: number): StationRates {
    const key = keyOf(station)
    const isNew = isRestarted(this.#before.stations.get(key), station.connectedS)
    const rate = (name: 'rxBytes' | 'txBytes') =>
      station[name] === undefined ? undefined : this.#mbps(`sta ${key} ${name}`, station[name], isNew, atMs)
    return { rxBytes: rate('rxBytes'), txBytes: rate('txBytes') }
  }

  /** A counter that has restarted counts from 0. Otherwise a smaller value is one of 32 bits that has wrapped. */
  #mbps(key: string, value: number, hasRestarted: boolean, atMs: number): number | undefined {
    const change = this.#counters.increase(key, { value, bits: hasRestarted ? undefined : 32 }, atMs)
    return change && (change.by * 8) / change.seconds / 1e6
  }

  /** Radios count from when the channel was set: a smaller value starts from 0. */
  #load({ frequencyMhz, activeMs, busyMs }: Radio, n: number, atMs: number): number | undefined {
    if (activeMs === undefined || busyMs === undefined) return undefined
    const active = this.#counters.increase(`active ${n} ${frequencyMhz}`, { value: activeMs }, atMs)
    const busy = this.#counters.increase(`busy ${n} ${frequencyMhz}`, { value: busyMs }, atMs)
    if (!active || !busy || active.by <= 0) return undefined
    return rounded(Math.min(1, busy.by / active.by) * 100, 1)
  }

  /** Part of the packets to the stations that were not acknowledged, after all retries. */
  #loss(stations: readonly Station[], atMs: number): number | undefined {
    let packets = 0
    let failed = 0
    for (const station of stations) {
      const { txPackets, txFailed } = station
      if (txPackets === undefined || txFailed === undefined) continue
      const sent = this.#counters.increase(`packets ${keyOf(station)}`, { value: txPackets }, atMs)
      const lost = this.#counters.increase(`failed ${keyOf(station)}`, { value: txFailed }, atMs)
      packets += sent?.by ?? 0
      failed += lost?.by ?? 0
    }
    return packets < minPackets ? undefined : rounded(Math.min(1, failed / packets) * 100, 2)
  }
}

interface StationRates {
  rxBytes: number | undefined
  txBytes: number | undefined
}

const keyOf = ({ bssid, address }: Station) => `${bssid} ${address}`

const isRestarted = (before: number | undefined, now: number | undefined) =>
  before !== undefined && now !== undefined && now < before

/** With more than one radio the names have its place as a prefix. */
function radioReadings({ radios, stations }: State, loads: readonly (number | undefined)[]) {
  const several = radios.length > 1
  return Object.fromEntries(
    radios.flatMap((radio, n) =>
      Object.entries({
        ...(several && {
          clients: stations.filter((station) => station.radio === n).length,
          load_pct: loads[n],
          temperature_c: radio.temperatureC,
        }),
        band: radio.band,
        channel: radio.channel,
        frequency_mhz: radio.frequencyMhz,
        channel_width_mhz: radio.widthMhz,
        tx_power_dbm: radio.txPowerDbm,
        noise_dbm: radio.noiseDbm,
      }).map(([name, value]) => [several ? `radio${n}_${name}` : name, value] as const),
    ),
  )
}

export const clientsOf = (
  stations: readonly Station[],
  rates: ReadonlyMap<string, StationRates>,
  dateMs: number,
): AttachedClient[] =>
  stations.map(({ address, connectedS, signalDbm, rateMbps }) => {
    const rate = rates.get(address)
    const [up, down] = [rate?.rxBytes, rate?.txBytes]
    return {
      client: address,
      // Up to 30 years: others have no date.
      ...(connectedS !== undefined &&
        connectedS < 1e9 && { since: new Date(dateMs - connectedS * 1000).toISOString() }),
      ...(signalDbm !== undefined && { signal_dbm: signalDbm }),
      ...(rateMbps !== undefined && { rate_mbps: rateMbps }),
      ...(up !== undefined && down !== undefined && { throughput_mbps: rounded(up + down, 3) }),
    }
  })

function snrOf({ signalDbm, radio }: Station, radios: readonly Radio[]): number | undefined {
  const noiseDbm = radio === undefined ? undefined : radios[radio]?.noiseDbm
  return signalDbm === undefined || noiseDbm === undefined ? undefined : signalDbm - noiseDbm
}

const quality = (snrDb: number) =>
  rounded(Math.min(1, Math.max(0, (snrDb - worstSnrDb) / (bestSnrDb - worstSnrDb))), 3)

const mean = (values: readonly (number | undefined)[]): number | undefined =>
  digits(
    combined(
      values.filter((value) => value !== undefined),
      'mean',
    ),
    1,
  )

const digits = (value: number | undefined, places: number) =>
  value === undefined ? undefined : rounded(value, places)

const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

const known = (readings: Record<string, number | string | undefined>): Readings =>
  Object.fromEntries(
    Object.entries(readings).filter((entry): entry is [string, number | string] => entry[1] !== undefined),
  )
