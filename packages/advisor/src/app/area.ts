import type { Client } from '@manc/sdk'
import { Advisor } from '../advisor.ts'
import type { PolicyFile } from '../policy-file.ts'
import type { AccessPointView, ClientView, Heard, Outcome, Proposal, View } from '../view.types.ts'
import { metresFrom } from './areas.ts'
import type { AccessPoint, Telemetry } from './network.ts'

/** Access points report their clients every 20 s: two reports may be missing. */
const freshS = 60
/** From a report to this view. One that is not older is of now: the policy learns from each report once. */
const delayS = 30
/** A move, the next report of the client, and some time for the mean of its throughput. */
const effectS = 60
/** New clients have a place until there are twice as many; then the area is built again. */
const minPlaces = 256

interface MutableView extends View {
  accessPoints: AccessPointView[]
  clients: ClientView[]
}

/** The access points between which clients move, as a policy sees them. */
export class Area {
  readonly accessPoints: readonly AccessPoint[]
  readonly view: MutableView
  readonly #advisor: Advisor
  readonly #indexes: ReadonlyMap<string, number>
  /** Of clients in the view, by id. They keep their places, because the policy remembers them by place. */
  readonly #places = new Map<string, number>()
  /** Times of the last measurements, by place. */
  readonly #measuredAt: string[] = []
  /** Throughput of an access point for each of its clients, where these do not report their own. */
  readonly #shares = new Map<string, number>()

  constructor(accessPoints: readonly AccessPoint[], policy: PolicyFile, clients: number) {
    this.accessPoints = accessPoints
    this.#advisor = new Advisor(policy, { freshS, effectS })
    this.#indexes = new Map(accessPoints.map(({ ap_id: id }, index) => [id, index]))
    const [origin] = accessPoints
    this.view = {
      s: 0,
      accessPoints: origin ? accessPoints.map((one) => silent(one, metresFrom(origin, one))) : [],
      clients: Array.from({ length: Math.max(minPlaces, 2 * clients) }, (_, n) => absent(`free ${n}`)),
    }
  }

  /** False if there are more clients than places: then a new area is needed. */
  follow(clients: readonly Client[], s: number, nowMs = Date.now()): boolean {
    for (const one of this.view.clients) one.accessPoint = -1
    for (const client of clients) {
      const index = this.#indexes.get(client.ap_id)
      if (index === undefined) continue
      const place = this.#places.get(client.id) ?? this.#places.size
      if (place >= this.view.clients.length) return false
      if (!this.#places.has(client.id)) {
        this.#places.set(client.id, place)
        this.view.clients[place] = absent(client.id)
      }
      this.#update(place, index, client, { s, nowMs })
    }
    return true
  }

  /** What telemetry tells of the access points. `isAsleep`: put to sleep by a decision. */
  observe(network: Telemetry, isAsleep: (apId: string) => boolean): void {
    for (const one of this.view.accessPoints) {
      const value = (metric: string) => network.valueOf(one.id, metric)
      const uptimeS = value('uptime_s')
      const busyPct = value('channel_utilisation_pct')
      const loadPct = value('load_pct') ?? 0
      one.isOn = network.sampleOf(one.id) !== undefined && uptimeS !== 0
      one.isAsleep = !one.isOn && isAsleep(one.id)
      one.load = loadPct / 100
      one.utilisation = (busyPct ?? loadPct) / 100
      one.others = busyPct === undefined ? 0 : Math.max(0, busyPct - (value('airtime_pct') ?? busyPct)) / 100
      one.channel = value('channel') ?? 0
      one.clients = value('clients') ?? 0
      one.powerW = value('power_w') ?? 0
      one.isBlocked = value('blockage') === 1
      this.#shares.set(one.id, (value('throughput_mbps') ?? 0) / Math.max(1, one.clients))
    }
  }

  decide(s: number): Proposal[] {
    this.view.s = s
    return this.#advisor.decide(this.view)
  }

  learn(outcomes: readonly Outcome[]): void {
    this.#advisor.learn(outcomes, this.view)
  }

  #update(place: number, index: number, client: Client, { s, nowMs }: { s: number; nowMs: number }): void {
    const one = this.view.clients[place] as ClientView
    const { technology } = this.accessPoints[index] as AccessPoint
    const signal = technology === 'LiFi' ? client.snr_db : client.signal_dbm
    const measurement = client.measurement ?? undefined
    one.accessPoint = index
    one.sinceS = s - Math.max(0, nowMs - Date.parse(client.since)) / 1000
    one.signal = signal ?? Number.NEGATIVE_INFINITY
    // Without a signal, nothing can be learnt of the rate.
    one.rateMbps = signal === null ? 0 : (client.rate_mbps ?? 0)
    one.deliveredMbps = measurement?.throughput_mbps ?? this.#shares.get(client.ap_id) ?? 0
    if (!measurement || this.#measuredAt[place] === measurement.at) return
    this.#measuredAt[place] = measurement.at
    one.heard = this.#heardOf(measurement.heard)
    const ageS = (nowMs - Date.parse(measurement.at)) / 1000
    one.heardS = ageS <= delayS ? s : s - ageS
  }

  #heardOf(heard: Readonly<Record<string, number>>): Heard[] {
    return Object.entries(heard).flatMap(([id, signal]) => {
      const accessPoint = this.#indexes.get(id)
      return accessPoint === undefined ? [] : { accessPoint, signal }
    })
  }
}

const silent = (
  { ap_id: id, technology }: AccessPoint,
  { x, y }: { x: number; y: number },
): AccessPointView => ({
  id,
  technology,
  x,
  y,
  isOn: false,
  isAsleep: false,
  load: 0,
  utilisation: 0,
  others: 0,
  channel: 0,
  clients: 0,
  powerW: 0,
  isBlocked: false,
})

const absent = (id: string): ClientView => ({
  id,
  accessPoint: -1,
  sinceS: 0,
  signal: Number.NEGATIVE_INFINITY,
  rateMbps: 0,
  deliveredMbps: 0,
  heard: [],
  heardS: Number.NEGATIVE_INFINITY,
})
