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
 * So many devices walk at most. Of more, each that walks stands for a group, so that a sample costs the same for 10,000
 * devices as for 16: the group shares its place, and its demand varies less, by the root of its size.
 */
const mostWalkers = 16
/** How long somebody stays before it is decided anew whether they are there, and how often what they want changes. */
const staysS = 1200
const burstS = 8
const neighboursS = 300
const cloudsS = 1800

const boot = { leastMs: 20_000, mostMs: 40_000 }
/** Clients find back one by one. */
const returnMs = 20_000
const steeredForMs = 300_000
const longestUptimeMs = 30 * 86_400_000
const mostTurns = 1000

/** Senders slow down when packets are lost (TCP): more than this is not offered for long. */
const mostOffered = 1.1
/** Without a backhaul: what still moves is attempts to connect, and they time out. */
const cutOff = { load: 0.02, goodput: 0.001, leastMs: 1500, mostMs: 3000, leastLoss: 0.96 }

/** What a command left behind. */
interface Turn extends Omit<Controls, 'steeredAway' | 'guests'> {
  ms: number
  /** The radio is there from then on. */
  bootedMs: number
  away: readonly Visit[]
  guests: readonly Visit[]
}

/**
 * One emulated access point. What it measures at a moment follows from its options, the commands before that moment and
 * the moment alone: it does not matter which moments were asked for before. It counts from its beginning, so that
 * tomorrow the same seed does the same; only `daily` goes by the clock.
 */
export class Cell {
  readonly #options: CellOptions
  readonly #seed: number
  readonly #radio: Radio
  readonly #walks: number
  readonly #walkers: Walkers
  /** One for each command, the first for none. */
  readonly #turns: Turn[]

  constructor(options: CellOptions) {
    this.#options = options
    this.#seed = mix(hashOf(options.seed), hashOf(options.technology))
    this.#radio = radioOf(options.technology, mix(this.#seed, 1))
    // Without any device one still walks, so that there is something to measure; it counts for none.
    this.#walks = clamp(options.devices, 1, mostWalkers)
    this.#walkers = new Walkers(this.#walks, this.#radio.traits.ground)
    const { channels, txPowerDbm } = this.#radio.traits
    const usual = options.technology === 'WiFi' ? usualWifiChannels : channels
    this.#turns = [
      {
        ms: -Infinity,
        powered: true,
        txPowerDbm: txPowerDbm.usual,
        channel: usual[Math.floor(unit(mix(this.#seed, 2)) * usual.length)] ?? 0,
        bootedMs: options.startMs - longestUptimeMs * unit(mix(this.#seed, 3)),
        away: [],
        guests: [],
      },
    ]
  }

  controlsAt(ms: number): Controls {
    const { powered, txPowerDbm, channel, away, guests } = this.#turnAt(ms)
    return { powered, txPowerDbm, channel, steeredAway: countAt(away, ms), guests: countAt(guests, ms) }
  }

  reboot(ms: number): void {
    this.#sendHome(ms)
    this.#turn(ms, { powered: true, bootedMs: this.#bootedAfter(ms) })
  }

  powerOff(ms: number): void {
    this.#sendHome(ms)
    this.#turn(ms, { powered: false })
  }

  powerOn(ms: number): void {
    if (!this.#turnAt(ms).powered) this.#turn(ms, { powered: true, bootedMs: this.#bootedAfter(ms) })
  }

  setPower(txPowerDbm: number, ms: number): void {
    const { least, most } = this.#radio.traits.txPowerDbm
    if (!(txPowerDbm >= least && txPowerDbm <= most))
      throw new RangeError(`${this.#options.technology} sends with ${least} to ${most} dBm here.`)
    this.#turn(ms, { txPowerDbm })
  }

  setChannel(channel: number, ms: number): void {
    const { channels } = this.#radio.traits
    if (!channels.includes(channel))
      throw new RangeError(`${this.#options.technology} has these channels here: ${channels.join(', ')}.`)
    this.#turn(ms, { channel })
  }

  /**
   * Hands up to `count` of its own clients over to another access point, from where they come back after some minutes;
   * without one, they are away for as long. Answers how many went.
   */
  steer(ms: number, { count, to }: { count: number; to: Cell | undefined }): number {
    if (to && !to.isOnAt(ms))
      throw new Error('The other access point is off or restarting. Switch it on, or name another.')
    const { away, guests } = this.#last
    const own = (this.sampleAt(ms)?.['clients'] ?? 0) - countAt(guests, ms)
    if (own <= 0) throw new Error('There is no client to steer. Choose an access point that has clients.')
    const { demandMbps } = this.#radio.traits
    const visit = { count: Math.min(count, own), demandMbps, untilMs: ms + steeredForMs }
    this.#turn(ms, { away: [...stillAt(away, ms), visit] })
    if (to) to.#welcome(visit, ms)
    return visit.count
  }

  /** It has a radio, which clients can attach to. */
  isOnAt(ms: number): boolean {
    const { startMs, durationS } = this.#options
    return ms < startMs + durationS * 1000 && this.#bootedAt(ms) !== undefined
  }

  /** Undefined while it is dark: no telemetry at all. */
  sampleAt(ms: number): Record<string, number> | undefined {
    const scene = sceneAt(this.#options, ms)
    if (scene.dark) return undefined
    const turn = this.#turnAt(ms)
    const bootedMs = this.#bootedAt(ms, scene, turn)
    return bootedMs === undefined ? this.#silence(turn) : this.#sample(ms, scene, turn, bootedMs)
  }

  /** Since when it has a radio; undefined while it has none. */
  #bootedAt(ms: number, scene = sceneAt(this.#options, ms), turn = this.#turnAt(ms)): number | undefined {
    const bootedMs =
      scene.backMs === undefined ? turn.bootedMs : Math.max(turn.bootedMs, this.#bootedAfter(scene.backMs))
    return scene.dark || !turn.powered || ms < bootedMs ? undefined : bootedMs
  }

  #welcome(visit: Visit, ms: number): void {
    this.#turn(ms, { guests: [...stillAt(this.#last.guests, ms), visit] })
  }

  /** Without a radio it cannot keep guests: where they come from has them again. */
  #sendHome(ms: number): void {
    for (const visit of this.#last.guests) visit.untilMs = Math.min(visit.untilMs, ms)
  }

  #sample(ms: number, scene: Scene, turn: Turn, bootedMs: number): Record<string, number> {
    const { devices } = this.#options
    const { traits } = this.#radio
    const moment = this.#momentAt(ms, scene, turn)
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
      // Rounded up or down by a number of its own: a group of one is there or is not, a large one is its expectation.
      const chance = unit(mix(device, Math.floor(moment.s / staysS + unit(device)), 8))
      const count = Math.floor(size * there * link.attached + chance)
      // When nobody is attached, the means are of what those who walk there would have.
      const weight = count + 1e-6 * (link.attached + 1e-6)
      weights += weight
      draw(mean, link, weight / weights)
      if (count === 0) continue
      const wants = 1 + (bursts(device, moment.s / burstS + unit(device)) - 1) / Math.sqrt(count)
      const mbps = count * Math.min(traits.demandMbps * scene.demand, traits.mostOfLink * link.rate) * wants
      clients += count
      offered += mbps
      needed += mbps / Math.max(link.rate, 0.1)
    }

    const steered = Math.min(clients, countAt(turn.away, ms))
    if (steered > 0) {
      const stay = 1 - steered / clients
      clients -= steered
      offered *= stay
      needed *= stay
    }
    // Guests have a link like the others, and want what they wanted before.
    for (const { count, demandMbps, untilMs } of turn.guests) {
      if (untilMs <= ms) continue
      const mbps = count * Math.min(demandMbps * scene.demand, traits.mostOfLink * mean.rate)
      clients += count
      offered += mbps
      needed += mbps / Math.max(mean.rate, 0.1)
    }

    const wanted = needed / this.#radio.share(moment)
    const queued = Math.min(wanted, mostOffered)
    const dropped = lossOf(queued, traits.room)
    const jitter = drift(mix(this.#seed, 5), moment.s)
    let load = Math.min(1, wanted)
    let throughput = wanted > 0 ? offered * (queued / wanted) * (1 - dropped) : 0
    let loss = 1 - (1 - dropped) * (1 - mean.lost)
    let latency =
      traits.baseMs * (0.9 + 0.4 * jitter * jitter) +
      traits.turnMs * roundsOf(queued, traits.room) * (1 + mean.errors)
    if (scene.backhaulCut) {
      load = Math.min(load, cutOff.load)
      throughput *= cutOff.goodput
      loss = cutOff.leastLoss + (1 - cutOff.leastLoss) * jitter
      latency = cutOff.leastMs + (cutOff.mostMs - cutOff.leastMs) * jitter
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
    sample['tx_power_dbm'] = turn.txPowerDbm
    sample['channel'] = turn.channel
    sample['uptime_s'] = Math.floor((ms - bootedMs) / 1000)
    return sample
  }

  #momentAt(ms: number, scene: Scene, { txPowerDbm, channel }: Turn): Moment {
    const { technology, latitude, longitude, scenario, startMs } = this.#options
    const s = (ms - startMs) / 1000
    // Neighbours live through the same hours; how crowded a channel is differs from one to the next.
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

  /** Off, or booting: there is no radio to measure. */
  #silence({ powered, txPowerDbm }: Turn): Record<string, number> {
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
        boot.leastMs +
          (boot.mostMs - boot.leastMs) * unit(mix(this.#seed, (ms - this.#options.startMs) / 1000, 9)),
      )
    )
  }

  #turnAt(ms: number): Turn {
    const turns = this.#turns
    let at = turns.length - 1
    while (at > 0 && (turns[at] as Turn).ms > ms) at -= 1
    return turns[at] as Turn
  }

  get #last(): Turn {
    return this.#turns.at(-1) as Turn
  }

  /** Commands come in the order of time; one that claims to be older than the last is taken as coming with it. */
  #turn(ms: number, change: Partial<Turn>): void {
    this.#turns.push({ ...this.#last, ...change, ms: Math.max(ms, this.#last.ms) })
    // Nobody asks for moments that a thousand commands have passed since.
    if (this.#turns.length > mostTurns) this.#turns.shift()
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

// Written and read within one sample, which nothing interrupts: one of each is enough for all cells.
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
