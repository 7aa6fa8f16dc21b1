import { ControlHistory, type ControlState } from './control-history.ts'
import { FiveG } from './five-g.ts'
import { LiFi } from './lifi.ts'
import { draw, noLink } from './link.ts'
import { lossOf, roundsOf } from './queue.ts'
import { bursts, drift, hashOf, mix, unit } from './random.ts'
import { daylightAt, noonAt } from './rhythm.ts'
import { type Scene, sceneAt } from './scene.ts'
import type { CellOptions, Controls, Moment, Radio } from './types.ts'
import { clamp, rounded } from './units.ts'
import { countAt, stillAt, type Visit } from './visits.ts'
import { type Position, Walkers } from './walk.ts'
import { WiFi } from './wifi.ts'

/**
 * At most this many devices are simulated. With more, each represents a group, so that a sample costs the same for 10,000
 * devices as for 16: a group shares its position, and its demand varies less, by the root of its size.
 */
const maxWalkers = 16
/** How long a device stays before its presence is drawn again, and how often its demand changes. */
const staysS = 1200
const burstS = 8
const neighboursS = 300
const cloudsS = 1800

const boot = { minMs: 20_000, maxMs: 40_000 }
/** Clients reattach one by one after a boot. */
const returnMs = 20_000
const steeredForMs = 300_000
const maxUptimeMs = 30 * 86_400_000

/** Senders slow down when packets are lost (TCP): more than this part of the capacity is not offered for long. */
const maxOffered = 1.1
/** Without a backhaul only attempts to connect are sent, and they time out. */
const cutOff = { load: 0.02, goodput: 0.001, minMs: 1500, maxMs: 3000, minLoss: 0.96 }

/**
 * The radio model of one emulated access point. A sample depends only on the options, the earlier commands and the moment,
 * not on the samples that were taken before. Time counts from the start, so that the same seed gives the same series on
 * another day; only `daily` follows the clock.
 */
export class Cell {
  readonly #options: CellOptions
  readonly #seed: number
  readonly #radio: Radio
  readonly #walks: number
  readonly #walkers: Walkers
  readonly #history: ControlHistory

  constructor(options: CellOptions) {
    this.#options = options
    this.#seed = mix(hashOf(options.seed), hashOf(options.technology))
    this.#radio = radioOf(options.technology, mix(this.#seed, 1))
    // Without devices one is still simulated, to measure the radio; it counts as none.
    this.#walks = clamp(options.devices, 1, maxWalkers)
    this.#walkers = new Walkers(this.#walks, this.#radio.traits.ground)
    const { channels, txPowerDbm } = this.#radio.traits
    const usual = options.technology === 'WiFi' ? usualWifiChannels : channels
    this.#history = new ControlHistory({
      powered: true,
      txPowerDbm: txPowerDbm.usual,
      channel: usual[Math.floor(unit(mix(this.#seed, 2)) * usual.length)] ?? 0,
      bootedMs: options.startMs - maxUptimeMs * unit(mix(this.#seed, 3)),
      away: [],
      guests: [],
    })
  }

  controlsAt(ms: number): Controls {
    const { powered, txPowerDbm, channel, away, guests } = this.#history.at(ms)
    return { powered, txPowerDbm, channel, steeredAway: countAt(away, ms), guests: countAt(guests, ms) }
  }

  reboot(ms: number): void {
    this.#sendHome(ms)
    this.#history.change(ms, { powered: true, bootedMs: this.#bootedAfter(ms) })
  }

  powerOff(ms: number): void {
    this.#sendHome(ms)
    this.#history.change(ms, { powered: false })
  }

  powerOn(ms: number): void {
    if (!this.#history.at(ms).powered)
      this.#history.change(ms, { powered: true, bootedMs: this.#bootedAfter(ms) })
  }

  setPower(txPowerDbm: number, ms: number): void {
    const { min, max } = this.#radio.traits.txPowerDbm
    if (!(txPowerDbm >= min && txPowerDbm <= max))
      throw new RangeError(`${this.#options.technology} sends with ${min} to ${max} dBm here.`)
    this.#history.change(ms, { txPowerDbm })
  }

  setChannel(channel: number, ms: number): void {
    const { channels } = this.#radio.traits
    if (!channels.includes(channel))
      throw new RangeError(`${this.#options.technology} has these channels here: ${channels.join(', ')}.`)
    this.#history.change(ms, { channel })
  }

  /**
   * Hands up to `count` of its own clients over to another access point for five minutes; without one, they are away for
   * as long. Returns how many went.
   */
  steer(ms: number, { count, to }: { count: number; to: Cell | undefined }): number {
    if (to && !to.isOnAt(ms))
      throw new Error('The other access point is off or restarting. Switch it on, or name another.')
    const { away, guests } = this.#history.latest
    const own = (this.sampleAt(ms)?.['clients'] ?? 0) - countAt(guests, ms)
    if (own <= 0) throw new Error('There is no client to steer. Choose an access point that has clients.')
    const { demandMbps } = this.#radio.traits
    const visit = { count: Math.min(count, own), demandMbps, untilMs: ms + steeredForMs }
    this.#history.change(ms, { away: [...stillAt(away, ms), visit] })
    if (to) to.#welcome(visit, ms)
    return visit.count
  }

  /** Its radio is on, so that clients can attach. */
  isOnAt(ms: number): boolean {
    const { startMs, durationS } = this.#options
    return ms < startMs + durationS * 1000 && this.#bootedAt(ms) !== undefined
  }

  /** Undefined while the access point has failed: it sends no telemetry. */
  sampleAt(ms: number): Record<string, number> | undefined {
    const scene = sceneAt(this.#options, ms)
    if (scene.dark) return undefined
    const state = this.#history.at(ms)
    const bootedMs = this.#bootedAt(ms, scene, state)
    return bootedMs === undefined ? this.#silence(state) : this.#sample(ms, scene, state, bootedMs)
  }

  /** Since when the radio is on; undefined while it is off. */
  #bootedAt(
    ms: number,
    scene = sceneAt(this.#options, ms),
    state = this.#history.at(ms),
  ): number | undefined {
    const bootedMs =
      scene.backMs === undefined ? state.bootedMs : Math.max(state.bootedMs, this.#bootedAfter(scene.backMs))
    return scene.dark || !state.powered || ms < bootedMs ? undefined : bootedMs
  }

  #welcome(visit: Visit, ms: number): void {
    this.#history.change(ms, { guests: [...stillAt(this.#history.latest.guests, ms), visit] })
  }

  /** Guests return to their own access point when the radio goes off. */
  #sendHome(ms: number): void {
    for (const visit of this.#history.latest.guests) visit.untilMs = Math.min(visit.untilMs, ms)
  }

  #sample(ms: number, scene: Scene, state: ControlState, bootedMs: number): Record<string, number> {
    const { devices } = this.#options
    const { traits } = this.#radio
    const moment = this.#momentAt(ms, scene, state)
    const there = scene.people * Math.min(1, (ms - bootedMs) / returnMs)

    let clients = 0
    let offered = 0
    let needed = 0
    let weights = 0
    const mean = noLink()
    for (let walker = 0; walker < this.#walks; walker++) {
      const device = mix(this.#seed, walker, 4)
      this.#walkers.locate(walker, device, moment.s, place)
      this.#radio.link(moment, device, place.x, place.y, link)
      const size = Math.floor((devices + walker) / this.#walks)
      // Rounded up or down at random: a group of one is present or not, a large group is close to its expectation.
      const chance = unit(mix(device, Math.floor(moment.s / staysS + unit(device)), 8))
      const count = Math.floor(size * there * link.attached + chance)
      // Without clients the means are those that the simulated devices would have.
      const weight = count + 1e-6 * (link.attached + 1e-6)
      weights += weight
      draw(mean, link, weight / weights)
      if (count === 0) continue
      const wants = 1 + (bursts(device, moment.s / burstS + unit(device)) - 1) / Math.sqrt(count)
      const mbps = count * Math.min(traits.demandMbps * scene.demand, traits.maxLinkShare * link.rate) * wants
      clients += count
      offered += mbps
      needed += mbps / Math.max(link.rate, 0.1)
    }

    const steered = Math.min(clients, countAt(state.away, ms))
    if (steered > 0) {
      const stay = 1 - steered / clients
      clients -= steered
      offered *= stay
      needed *= stay
    }
    // Guests have an average link, and the demand that they had before.
    for (const { count, demandMbps, untilMs } of state.guests) {
      if (untilMs <= ms) continue
      const mbps = count * Math.min(demandMbps * scene.demand, traits.maxLinkShare * mean.rate)
      clients += count
      offered += mbps
      needed += mbps / Math.max(mean.rate, 0.1)
    }

    const wanted = needed / this.#radio.share(moment)
    const queued = Math.min(wanted, maxOffered)
    const dropped = lossOf(queued, traits.queueCapacity)
    const jitter = drift(mix(this.#seed, 5), moment.s)
    let load = Math.min(1, wanted)
    let throughput = wanted > 0 ? offered * (queued / wanted) * (1 - dropped) : 0
    let loss = 1 - (1 - dropped) * (1 - mean.lost)
    let latency =
      traits.baseMs * (0.9 + 0.4 * jitter * jitter) +
      traits.turnMs * roundsOf(queued, traits.queueCapacity) * (1 + mean.errors)
    if (scene.backhaulCut) {
      load = Math.min(load, cutOff.load)
      throughput *= cutOff.goodput
      loss = cutOff.minLoss + (1 - cutOff.minLoss) * jitter
      latency = cutOff.minMs + (cutOff.maxMs - cutOff.minMs) * jitter
    }

    const [worst, best] = traits.quality
    const outcome = { clients, load }
    const sample = this.#radio.measure(moment, mean, outcome)
    sample['clients'] = clients
    sample['throughput_mbps'] = rounded(throughput, 2)
    sample['latency_ms'] = rounded(latency, 1)
    sample['packet_loss_pct'] = rounded(100 * loss, 2)
    sample['load_pct'] = rounded(100 * load, 1)
    sample['signal_quality'] = rounded(clamp((mean.snr - worst) / (best - worst), 0, 1), 3)
    sample['power_w'] = rounded(this.#radio.watts(moment, outcome), 2)
    sample['tx_power_dbm'] = state.txPowerDbm
    sample['channel'] = state.channel
    sample['uptime_s'] = Math.floor((ms - bootedMs) / 1000)
    return sample
  }

  #momentAt(ms: number, scene: Scene, { txPowerDbm, channel }: ControlState): Moment {
    const { technology, latitude, longitude, scenario, startMs } = this.#options
    const s = (ms - startMs) / 1000
    // Neighbours have the same busy hours; each channel is crowded differently.
    const crowd = 0.25 + 0.75 * unit(mix(this.#seed, channel, 6))
    const busy =
      crowd * scene.people * scene.demand * (0.6 + 0.8 * drift(mix(this.#seed, 7), s / neighboursS))
    const clouds = technology === 'LiFi' ? 0.6 + 1.4 * drift(mix(this.#seed, 8), s / cloudsS) : 0
    return {
      s,
      txPowerDbm,
      channel,
      neighbours: clamp(busy, 0.02, 1),
      beamBlocked: scene.beamBlocked,
      people: scene.people,
      daylight:
        clouds && clouds * (scenario === 'daily' ? daylightAt(ms, latitude, longitude) : noonAt(latitude)),
    }
  }

  /** Off, or booting: there is nothing to measure. */
  #silence({ powered, txPowerDbm }: ControlState): Record<string, number> {
    const idle = this.#radio.watts({ ...nowhere, txPowerDbm }, { clients: 0, load: 0 })
    return {
      clients: 0,
      throughput_mbps: 0,
      latency_ms: 0,
      packet_loss_pct: 0,
      load_pct: 0,
      signal_quality: 0,
      power_w: rounded(powered ? idle : this.#radio.traits.standbyW, 2),
      uptime_s: 0,
    }
  }

  #bootedAfter(ms: number): number {
    return (
      ms +
      Math.round(
        boot.minMs +
          (boot.maxMs - boot.minMs) * unit(mix(this.#seed, (ms - this.#options.startMs) / 1000, 9)),
      )
    )
  }
}

/** Those that do not overlap. */
const usualWifiChannels = [36, 52, 100, 116, 132, 149]

function radioOf(technology: CellOptions['technology'], seed: number): Radio {
  switch (technology) {
    case '5G':
      return new FiveG(seed)
    case 'WiFi':
      return new WiFi(seed)
    case 'LiFi':
      return new LiFi(seed)
  }
}

// Written and read within one call of `sampleAt`, and shared by all cells to avoid allocations.
const place: Position = { x: 0, y: 0 }
const link = noLink()
const nowhere: Moment = {
  s: 0,
  txPowerDbm: 0,
  channel: 0,
  neighbours: 0,
  beamBlocked: false,
  people: 0,
  daylight: 0,
}
