import { signalRanges } from '@manc/contract/kpis'
import type { Readings } from '../driver.ts'
import { Counters } from '../maps/counters.ts'
import { combined } from '../maps/metric-map.ts'
import type { BssStatus, Station } from './link.ts'

const [worstSnrDb, bestSnrDb] = signalRanges.WiFi

/** Computes KPIs from what hostapd reports, reading after reading. */
export class BssReader {
  readonly #counters = new Counters()

  read(status: BssStatus, stations: readonly Station[], atMs: number): Readings {
    this.#counters.next()
    const down = this.#mbps(stations, 'txBytes', atMs)
    const up = this.#mbps(stations, 'rxBytes', atMs)
    const rssi = mean(stations.map(({ signalDbm }) => signalDbm))
    const snr = rssi === undefined || status.noiseDbm === undefined ? undefined : rssi - status.noiseDbm
    const readings: Record<string, number | string | undefined> = {
      clients: stations.length,
      throughput_mbps: down === undefined || up === undefined ? undefined : rounded(down + up, 3),
      throughput_down_mbps: down,
      throughput_up_mbps: up,
      load_pct: this.#load(status, atMs),
      signal_quality: snr === undefined ? undefined : quality(snr),
      snr_db: snr === undefined ? undefined : rounded(snr, 1),
      rssi_dbm: rssi,
      noise_dbm: status.noiseDbm,
      phy_rate_mbps: mean(stations.map(({ rateMbps }) => rateMbps)),
      channel: status.channel,
      frequency_mhz: status.frequencyMhz,
      tx_power_dbm: status.txPowerDbm,
      ssid: status.ssid,
      bssid: status.bssid === '' ? undefined : status.bssid,
    }
    return Object.fromEntries(
      Object.entries(readings).filter((entry): entry is [string, number | string] => entry[1] !== undefined),
    )
  }

  /** Over the stations that both readings have. With none it is 0, once there was a reading before. */
  #mbps(stations: readonly Station[], name: 'txBytes' | 'rxBytes', atMs: number): number | undefined {
    // A counter that stands still shows whether there was a reading before.
    const isFirst = this.#counters.increase(name, { value: 0 }, atMs) === undefined
    const rates = stations.flatMap(({ address, [name]: value }) => {
      if (value === undefined) return []
      // hostapd counts from the association on: a smaller value is a new one.
      const change = this.#counters.increase(`${name} ${address}`, { value }, atMs)
      return change ? [(change.by * 8) / change.seconds / 1e6] : []
    })
    return isFirst ? undefined : rounded(combined(rates, 'sum') ?? 0, 3)
  }

  #load({ airtime, utilisation }: BssStatus, atMs: number): number | undefined {
    if (airtime) {
      const active = this.#counters.increase('active', { value: airtime.activeMs }, atMs)
      const busy = this.#counters.increase('busy', { value: airtime.busyMs }, atMs)
      if (active && busy && active.by > 0) return rounded(Math.min(1, busy.by / active.by) * 100, 1)
    }
    return utilisation === undefined ? undefined : rounded(utilisation * 100, 1)
  }
}

const quality = (snrDb: number) =>
  rounded(Math.min(1, Math.max(0, (snrDb - worstSnrDb) / (bestSnrDb - worstSnrDb))), 3)

function mean(values: readonly (number | undefined)[]): number | undefined {
  const value = combined(
    values.filter((each) => each !== undefined),
    'mean',
  )
  return value === undefined ? undefined : rounded(value, 1)
}

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
