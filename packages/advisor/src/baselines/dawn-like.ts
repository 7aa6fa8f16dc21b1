import { qualityOf } from '../signals.ts'
import type { AccessPointView, ClientView, Policy, Proposal, View } from '../view.types.ts'

/**
 * The documented defaults of DAWN (openwrt/packages net/dawn/files/dawn.config): bands 80 and 100, `rssi` ±15 at -60 and -80 dBm,
 * `max_chan_util` -15 above 170 of 255, `ht_support` and `vht_support` 5 each (all have them), `kicking_threshold` 20,
 * `min_number_to_kick` 3, `bandwidth_threshold` 6 Mbit/s, `update_client` 10 s, `max_station_diff` 1.
 */
const options = {
  bands: { '5G': 80, WiFi: 100, LiFi: 100 },
  supports: 10,
  strong: { above: qualityOf('WiFi', -60), score: 15 },
  weak: { below: qualityOf('WiFi', -80), score: -15 },
  busy: { above: 170 / 255, score: -15 },
  threshold: 20,
  times: 3,
  activeMbps: 6,
  everyS: 10,
  stationDifference: 1,
}

/**
 * As DAWN does, extended to all technologies: scores of what a client hears are compared, and it moves when another access point
 * was better by the threshold three times running. Clients that transfer much are left alone. Of equal scores, as with
 * `use_station_count`, the one with fewer clients wins.
 */
export class DawnLike implements Policy {
  readonly #counts = new Map<number, number>()

  decide({ s, accessPoints, clients }: View): Proposal[] {
    const proposals: Proposal[] = []
    clients.forEach((one, client) => {
      // Every client in its own second.
      if ((s + client) % options.everyS !== 0) return
      const serving = accessPoints[one.accessPoint]
      const to = serving ? betterOf(accessPoints, one, serving) : -1
      const count = to >= 0 ? (this.#counts.get(client) ?? 0) + 1 : 0
      this.#counts.set(client, count)
      if (count < options.times || one.deliveredMbps > options.activeMbps) return
      this.#counts.set(client, 0)
      proposals.push({
        kind: 'steer',
        client,
        from: one.accessPoint,
        to,
        expected: { reason: 'better score' },
      })
    })
    return proposals
  }
}

function betterOf(
  accessPoints: readonly AccessPointView[],
  one: ClientView,
  serving: AccessPointView,
): number {
  const own = scoreOf(serving, one.signal)
  let best = own + options.threshold
  let fewest = serving.clients - options.stationDifference
  let to = -1
  let equal = -1
  for (const { accessPoint, signal } of one.heard) {
    const other = accessPoints[accessPoint]
    if (!other?.isOn || accessPoint === one.accessPoint) continue
    const score = scoreOf(other, signal)
    if (score >= best) {
      best = score + 1
      to = accessPoint
    } else if (score === own && other.clients < fewest) {
      fewest = other.clients
      equal = accessPoint
    }
  }
  return to >= 0 ? to : equal
}

function scoreOf(one: AccessPointView, signal: number): number {
  const quality = qualityOf(one.technology, signal)
  return (
    options.bands[one.technology] +
    options.supports +
    (quality >= options.strong.above ? options.strong.score : 0) +
    (quality <= options.weak.below ? options.weak.score : 0) +
    (one.utilisation > options.busy.above ? options.busy.score : 0)
  )
}
