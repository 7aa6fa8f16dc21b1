import { LiFi } from '../radio/lifi.ts'
import { noLink } from '../radio/link.ts'
import { radioOf, usualWifiChannels } from '../radio/radios.ts'
import { drift, hashOf, mix, unit } from '../radio/random.ts'
import { daylightAt, noonAt } from '../radio/rhythm.ts'
import { type Scene, type SceneOptions, sceneAt } from '../radio/scene.ts'
import type { Link, Moment, Radio } from '../radio/types.ts'
import { clamp } from '../radio/units.ts'
import { technologyNames } from './parameters.ts'
import type { AccessPointSpec } from './types.ts'

const boot = { minS: 20, maxS: 40 }
/** From sleep: the software runs on, and the radio has to be switched on again. */
const wakeS = 2
const maxUptimeS = 30 * 86_400
const neighboursS = 300
const cloudsS = 1800
/** The part of the airtime that networks outside the world take at most. */
const maxExternalAirtime = 0.3

/** One access point of a world: what commands have set, and what is the case in the current second. */
export class AccessPoint {
  readonly index: number
  readonly spec: AccessPointSpec
  readonly technology: number
  readonly seed: number
  readonly radio: Radio
  readonly floor: number
  /** Those that do not overlap. */
  readonly usualChannels: readonly number[]
  /** Its channel is not planned. */
  readonly hasGivenChannel: boolean
  powered = true
  asleep = false
  txPowerDbm: number
  /** The one that it had at the begin of the world. */
  readonly firstPowerDbm: number
  channel: number
  /** Its radio is on and it is in service. */
  isOn = false
  bootedS: number
  scene: Scene
  readonly moment: Moment
  /** The part of the airtime that networks outside the world take, of WiFi. */
  externalAirtime = 0

  /** Of the current second: set by the world. */
  readonly mean: Link = noLink()
  weights = 0
  clients = 0
  /** Seconds of the medium that clients need in a second, and those that they may have. */
  needed = 0
  available = 1
  deliveredMbps = 0
  offeredMbps = 0
  /** Of the second before, 0 to 1: interference grows with it. */
  load = 0
  handedOver = 0
  readonly #options: SceneOptions
  #awakeS = 0
  #noon: number | undefined

  constructor(index: number, spec: AccessPointSpec, startMs: number) {
    this.index = index
    this.spec = spec
    this.technology = technologyNames.indexOf(spec.technology)
    this.seed = mix(hashOf(spec.seed), hashOf(spec.technology))
    this.radio = radioOf(spec.technology, mix(this.seed, 1))
    this.floor = spec.floor ?? 0
    const { traits } = this.radio
    const channels = spec.technology === 'WiFi' ? usualWifiChannels : traits.channels
    this.usualChannels = channels
    const { min, usual, max } = traits.txPowerDbm
    this.txPowerDbm = clamp(spec.txPowerDbm ?? usual, min, max)
    this.firstPowerDbm = this.txPowerDbm
    this.channel = channels[Math.floor(unit(mix(this.seed, 2)) * channels.length)] ?? 0
    this.hasGivenChannel = spec.channel !== undefined && traits.channels.includes(spec.channel)
    if (this.hasGivenChannel) this.channel = spec.channel as number
    this.bootedS = -maxUptimeS * unit(mix(this.seed, 3))
    this.#options = { ...spec, startMs }
    this.scene = sceneAt(this.#options, startMs)
    this.moment = {
      s: 0,
      txPowerDbm: this.txPowerDbm,
      channel: this.channel,
      neighbours: 0,
      beamBlocked: false,
      people: 0,
      daylight: 0,
    }
  }

  /** Begins a second. */
  update(s: number): void {
    const ms = this.#options.startMs + s * 1000
    const scene = sceneAt(this.#options, ms)
    this.scene = scene
    if (scene.backMs !== undefined)
      this.bootedS = Math.max(this.bootedS, this.#bootedAfter((scene.backMs - this.#options.startMs) / 1000))
    this.isOn =
      !scene.hasFailed &&
      this.powered &&
      !this.asleep &&
      s >= Math.max(this.bootedS, this.#awakeS) &&
      s < this.spec.durationS
    const { moment } = this
    moment.s = s
    moment.txPowerDbm = this.txPowerDbm
    moment.channel = this.channel
    moment.beamBlocked = scene.beamBlocked
    moment.people = scene.people
    moment.daylight = this.#daylight(s, ms)
    // Each channel is occupied differently.
    const occupancy = 0.25 + 0.75 * unit(mix(this.seed, this.channel, 6))
    const busy =
      occupancy * scene.people * scene.demand * (0.6 + 0.8 * drift(mix(this.seed, 7), s / neighboursS))
    this.externalAirtime = maxExternalAirtime * clamp(busy, 0.02, 1)
    this.weights = 0
    this.clients = 0
    this.needed = 0
    this.deliveredMbps = 0
    this.offeredMbps = 0
    this.handedOver = 0
  }

  reboot(s: number): void {
    this.powered = true
    this.asleep = false
    this.bootedS = this.#bootedAfter(s)
  }

  powerOff(): void {
    this.powered = false
  }

  powerOn(s: number): void {
    if (!this.powered) this.reboot(s)
  }

  sleep(): void {
    this.asleep = true
  }

  wake(s: number): void {
    if (!this.asleep) return
    this.asleep = false
    this.#awakeS = s + wakeS
  }

  setPower(txPowerDbm: number): void {
    const { min, max } = this.radio.traits.txPowerDbm
    if (!(txPowerDbm >= min && txPowerDbm <= max))
      throw new RangeError(`${this.spec.technology} sends with ${min} to ${max} dBm here.`)
    this.txPowerDbm = txPowerDbm
  }

  setChannel(channel: number): void {
    const { channels } = this.radio.traits
    if (!channels.includes(channel))
      throw new RangeError(`${this.spec.technology} has these channels here: ${channels.join(', ')}.`)
    this.channel = channel
  }

  /** Illuminance by daylight at the receivers below a luminaire, in lux. */
  get ambientLux(): number {
    return this.radio instanceof LiFi ? this.radio.ambientOf(this.moment.daylight) : 0
  }

  #daylight(s: number, ms: number): number {
    const { technology, scenario, latitude, longitude } = this.spec
    if (technology !== 'LiFi') return 0
    const clouds = 0.6 + 1.4 * drift(mix(this.seed, 8), s / cloudsS)
    this.#noon ??= noonAt(latitude)
    return clouds * (scenario === 'daily' ? daylightAt(ms, latitude, longitude) : this.#noon)
  }

  #bootedAfter(s: number): number {
    return s + boot.minS + (boot.maxS - boot.minS) * unit(mix(this.seed, s, 9))
  }
}
