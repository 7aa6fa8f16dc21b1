import type { Ground } from './walk.ts'

export const technologies = ['5G', 'WiFi', 'LiFi'] as const
export type Technology = (typeof technologies)[number]

/** What holds for all devices at one moment. */
export interface Moment {
  /** Seconds since the beginning. */
  s: number
  txPowerDbm: number
  channel: number
  /** How busy the neighbours on this channel are, 0 to 1. */
  neighbours: number
  /** The beam is blocked by an obstacle. */
  beamBlocked: boolean
  /** Share of the people who are present and may walk through the beam, 0 to 1. */
  people: number
  /** Outdoors, in lux. */
  daylight: number
}

/** The link of one device to the access point; and, with the same fields, the mean of all attached devices. */
export interface Link {
  /** RSRP or RSSI in dBm; of LiFi the gain of the channel in dB. */
  signal: number
  /** SINR or SNR in dB. */
  snr: number
  /** Mbit/s if it were the only client of the cell. */
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

/** Totals of the cell. */
export interface Outcome {
  clients: number
  /** The part of the capacity that is used, 0 to 1. */
  load: number
}

/** What is fixed for a technology. */
export interface Traits {
  ground: Ground
  /** Round trip to the core without load; the service time of the queue, and how many packets fit in the queue. */
  baseMs: number
  turnMs: number
  queueCapacity: number
  /** SNR in dB that is worth a `signal_quality` of 0, and of 1. */
  quality: readonly [number, number]
  txPowerDbm: { min: number; usual: number; max: number }
  channels: readonly number[]
  /** Power when switched off: it still receives commands. */
  standbyW: number
}

/** Everything that differs between technologies. */
export interface Radio {
  readonly traits: Traits
  watts(moment: Moment, outcome: Outcome): number
  /** The metrics of this technology, in addition to the common ones. */
  measure(moment: Moment, mean: Link, outcome: Outcome): Record<string, number>
}
