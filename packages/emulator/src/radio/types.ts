import type { Scenario } from './scenarios.ts'
import type { Ground } from './walk.ts'

export const technologies = ['5G', 'WiFi', 'LiFi'] as const
export type Technology = (typeof technologies)[number]

export interface CellOptions {
  technology: Technology
  seed: string
  /** What the access points of an emulation have in common, such as when a beam is blocked. Where nothing is said, its seed. */
  network?: string
  /** How many devices there are in all; `clients` is how many of them are attached. */
  devices: number
  latitude: number
  longitude: number
  scenario: Scenario
  /** When the emulation begins, and how long it takes: scenarios have their events at parts of it. */
  startMs: number
  durationS: number
}

/** What commands have set. */
export interface Controls {
  powered: boolean
  txPowerDbm: number
  channel: number
  /** Clients that were sent to neighbours and have not come back. */
  steeredAway: number
  /** Clients of others that were sent here. */
  guests: number
}

/** What holds for all devices at one moment. */
export interface Moment {
  /** Seconds since the beginning. */
  s: number
  txPowerDbm: number
  channel: number
  /** How busy the neighbours on this channel are, 0 to 1. */
  neighbours: number
  /** Something stands in the light. */
  beamBlocked: boolean
  /** People who may walk through the light, 0 to 1. */
  people: number
  /** Outdoors, in lux. */
  daylight: number
}

/** What one device has of the access point; and, with the same fields, the mean of all that are attached. */
export interface Link {
  /** The part of a group of devices at this place that attaches here rather than to a neighbour. */
  attached: number
  /** RSRP or RSSI in dBm; of LiFi the gain of the channel in dB. */
  signal: number
  /** SINR or SNR in dB. */
  snr: number
  /** Mbit/s if it had the whole cell for itself. */
  rate: number
  /** The part of transmissions that has to be repeated, */
  errors: number
  /** and of those that were repeated to no avail. */
  lost: number
  /** WiFi's MCS. */
  mcs: number
  /** 1 with a clear line of sight, else 0. */
  clear: number
}

/** What the cell as a whole came to. */
export interface Outcome {
  clients: number
  /** The part of what it could give that is given, 0 to 1. */
  load: number
}

/** What is fixed for a technology. */
export interface Traits {
  ground: Ground
  /** What a client wants in the mean, with ordinary demand. */
  demandMbps: number
  /** Applications adapt to a poor link, as streaming does: nobody asks in the mean for more than this part of it. */
  mostOfLink: number
  /** From here to the core and back when nobody else is there; then a turn in the queue, and how many fit in it. */
  baseMs: number
  turnMs: number
  room: number
  /** SNR in dB that is worth a `signal_quality` of 0, and of 1. */
  quality: readonly [number, number]
  txPowerDbm: { least: number; usual: number; most: number }
  channels: readonly number[]
  /** Switched off, it still listens for commands. */
  standbyW: number
}

/** Everything that differs between technologies. */
export interface Radio {
  readonly traits: Traits
  /** What a device at this place has of the access point, written into `link`. */
  link(moment: Moment, device: number, x: number, y: number, link: Link): void
  /** The part of the medium that neighbours leave to it. */
  share(moment: Moment): number
  watts(moment: Moment, outcome: Outcome): number
  /** Its own metrics, beside those that all have. */
  measure(moment: Moment, mean: Link, outcome: Outcome): Record<string, number>
}
