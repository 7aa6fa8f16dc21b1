import type { Mobility, TrafficKind } from '@manc/contract'
import type { Scenario } from '../radio/scenarios.ts'
import type { Technology } from '../radio/types.ts'

/** A client of a network that exists, of which this is known. */
export interface MemberSpec {
  /** Demand in Mbit/s, the mean of some minutes. */
  mbps: number
  /** Access points that it hears, by their index in the world: RSRP or RSSI in dBm, of LiFi the SNR in dB. */
  heard: readonly (readonly [index: number, signal: number])[]
}

export interface AccessPointSpec {
  id: string
  technology: Technology
  /** Of this access point: its channel, shadowing, clients and failures. */
  seed: string
  /** What access points of a network have in common: when a beam is blocked. By default the seed. */
  network?: string
  latitude: number
  longitude: number
  floor?: number
  /** Of LiFi: the side of its square room, which light does not leave. */
  roomM?: number
  /** Number of client devices that have their place around it. */
  devices: number
  /** The first of these devices are known. They are attached to it at the begin, and always there. */
  members?: readonly MemberSpec[]
  /** By default as planned for the world, and the usual one of the technology. */
  channel?: number
  txPowerDbm?: number
  /** Off when the members were measured, so that they did not hear it. */
  isOff?: boolean
  scenario: Scenario
  /** Seconds from the begin of the world. */
  durationS: number
  mobility?: Mobility
  /** Weights of the kinds of traffic. */
  mix?: Partial<Record<TrafficKind, number>>
}

export interface WorldSpec {
  accessPoints: readonly AccessPointSpec[]
  /** Of the clients: their ids are this and a number from 1 on. */
  clientPrefix?: string
  /** Only the scenario `daily` depends on it. */
  startMs: number
}

/** Why a client changed its attachment. */
export type MoveCause = 'joined' | 'left' | 'roamed' | 'preferred' | 'weak' | 'lost' | 'steered'

/** A change of attachment in the last second. */
export interface Move {
  client: number
  /** Indexes of access points; -1 is none. */
  from: number
  to: number
  cause: MoveCause
}

export interface ClientState {
  id: string
  /** Id of the access point; undefined while it is attached to none. */
  accessPoint: string | undefined
  /** The second from which on it is attached there. */
  sinceS: number
  x: number
  y: number
  /** RSRP or RSSI in dBm; of LiFi the SNR in dB. */
  signal: number
  /** Mbit/s if it were the only client. */
  rateMbps: number
  offeredMbps: number
  deliveredMbps: number
}

/** What a client did when it was asked to move. Codes of 802.11v; causes are like those of TS 38.413. */
export type Steering =
  | { moved: true; to: string; interruptionMs: number; status: 0 }
  | { moved: false; to: string; status: 1 | 7; cause: string }
