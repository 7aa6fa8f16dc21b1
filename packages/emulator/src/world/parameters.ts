import type { Mobility, TrafficKind } from '@manc/contract'

/** The order of technologies in arrays, and of the bits of the radios of a client. */
export const fiveG = 0
export const wifi = 1
export const lifi = 2
export const technologyNames = ['5G', 'WiFi', 'LiFi'] as const

interface Policy {
  /** Below this signal there is no connection. */
  min: number
  /** A client that is attached to a less preferred technology joins from this signal on, */
  join: number
  /** after so many seconds in a row. */
  joinS: number
  /** Below this signal a client looks for a less preferred technology. */
  leave: number
  leaveS: number
  /** Another access point of the same technology has to be stronger by this, for `roamS`, */
  roamDb: number
  roamS: number
  /** and only while the own signal is below this. */
  roamBelow: number
  /** Seconds without a usable signal until the client gives up its connection. */
  lostS: number
}

/**
 * What clients do by themselves. Signals are RSRP and RSSI in dBm, of LiFi the SNR in dB.
 *
 * 5G: event A3 of TS 38.331 section 5.5.4.4, offset and hysteresis together 3 dB, time to trigger 640 ms; connections are lost
 * after T310 of 1 s. WiFi: scans below -70 dBm and roams to an access point that is stronger by 8 dB (Apple, About wireless
 * roaming for enterprise, HT203068); 802.11bb behaves like WiFi. Phones prefer WiFi to cellular, after some seconds of a good
 * signal. The preference is that of the ATSSS mode priority (TS 23.501 section 5.32.8): LiFi, WiFi, 5G.
 */
export const policies: readonly [Policy, Policy, Policy] = [
  {
    min: -118,
    join: -115,
    joinS: 0.64,
    leave: -118,
    leaveS: 0.64,
    roamDb: 3,
    roamS: 0.64,
    roamBelow: Number.POSITIVE_INFINITY,
    lostS: 1,
  },
  { min: -82, join: -70, joinS: 5, leave: -79, leaveS: 2, roamDb: 8, roamS: 1, roamBelow: -70, lostS: 2 },
  { min: 5, join: 15, joinS: 2, leave: 8, leaveS: 1, roamDb: 6, roamS: 1, roamBelow: 20, lostS: 1 },
]

/**
 * How long a client has no connection while it changes from the row to the column: 5G 108 ms (Xu et al. 2020, Understanding
 * Operational 5G), WiFi 250 ms (60 to 400 ms in Mishra, Shin and Arbaugh 2003, of which most is the scan), LiFi 200 ms and 500 ms
 * between technologies (the values that studies of hybrid networks assume; see Wu et al. 2021, Hybrid LiFi and WiFi Networks).
 */
const interruptionsMs = [
  [108, 500, 500],
  [500, 250, 500],
  [500, 500, 200],
] as const

export function interruptionMs(from: number, to: number): number {
  return interruptionsMs[from]?.[to] ?? 0
}

/** A new connection after a loss: a scan of all channels and an association; for 5G re-establishment (TS 38.331 T301). */
export const reconnectMs = [400, 1000, 700] as const

/** Mean demand in Mbit/s, and whether it comes in bursts. */
export const traffic: Record<TrafficKind, { mbps: number; isBursty: boolean }> = {
  web: { mbps: 2.5, isBursty: true },
  // Full HD, as streaming services recommend.
  video: { mbps: 6, isBursty: false },
  call: { mbps: 2.5, isBursty: false },
  upload: { mbps: 8, isBursty: true },
}
export const defaultMix: Record<TrafficKind, number> = { web: 0.5, video: 0.3, call: 0.1, upload: 0.1 }
/** Of clients around an access point of a technology, relative to the figures above: a mean of 3, 4 and 9 Mbit/s. */
export const demandFactors = [0.75, 1, 2.25] as const
/** Applications adapt to a poor link (TCP, adaptive video): the demand of a device is at most this part of its rate. */
export const maxLinkShare = 0.1
export const burstS = 8

/** Radios of the clients around an access point of a technology: the chance of each. */
export const radioChances = [
  [1, 0.9, 0.1],
  [0.85, 1, 0.25],
  [0.6, 1, 1],
] as const

/** The chance that a leg of a walk ends at another access point, and the duration of legs relative to those of the technology. */
export const mobilities: Record<Mobility, { roams: number; legs: number }> = {
  sitting: { roams: 0, legs: 1 },
  mixed: { roams: 0.15, legs: 1 },
  walking: { roams: 0.8, legs: 0.4 },
}
/** Other access points to which clients walk are at most this far from theirs. */
export const walkM = 150
export const maxPlaces = 8

/** Part of the clients that do not follow a transition request (802.11v status 1), whatever the target. Taken as one in ten. */
export const refusing = 0.1
export const steeredForS = 300
/** How long a stay is before the presence of a client is drawn again. */
export const staysS = 1200
/** Clients find an access point that has booted within this time. */
export const returnS = 20

/** Farther ones are no candidates, in metres. */
export const rangesM = [800, 70, 4] as const
/** The nearest so many access points of a technology are candidates of a client, and interfere. */
export const slotCounts = [6, 6, 4] as const

/** Clear-channel assessment hears a preamble from -82 dBm on (802.11-2020 section 17.3.10.6). */
export const carrierSenseDbm = -82

export const maxClients = 20_000
export const maxAccessPoints = 1000
export const defaultRoomM = 8
