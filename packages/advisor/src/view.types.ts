/** What an application can know of a network through the interface. Policies see this and nothing else. */

export type Technology = '5G' | 'WiFi' | 'LiFi'

/** From the telemetry of an access point, once a second. */
export interface AccessPointView {
  readonly id: string
  readonly technology: Technology
  /** Metres east and north of a common place. */
  readonly x: number
  readonly y: number
  /** Its radio is in service. */
  isOn: boolean
  /** It was put to sleep by a command. */
  isAsleep: boolean
  /** `load_pct`, 0 to 1: the part that is used of what is available to it. */
  load: number
  /** `channel_utilisation_pct` of WiFi, of others the load; 0 to 1. */
  utilisation: number
  /** The part of the medium that other networks and neighbours use, 0 to 1: of WiFi, channel utilisation less airtime. */
  others: number
  /** `channel` of WiFi; access points with the same one share the air. */
  channel: number
  clients: number
  powerW: number
  /** `blockage` of LiFi: an obstacle is in the beam. */
  isBlocked: boolean
}

/** An access point that a client has measured. */
export interface Heard {
  /** Index of the access point in the view. */
  accessPoint: number
  /** RSRP or RSSI in dBm; of LiFi the SNR in dB. */
  signal: number
}

/** From client tracking: what its access point knows of it, once a second, and its last report of neighbours. */
export interface ClientView {
  readonly id: string
  /** Index of the access point in the view, or -1. A client without one is unknown to the controller. */
  accessPoint: number
  sinceS: number
  signal: number
  /** Mbit/s of its link if it were the only client. */
  rateMbps: number
  deliveredMbps: number
  /** Its last beacon or measurement report, with the one that it is attached to. */
  heard: Heard[]
  heardS: number
}

export interface View {
  /** Seconds. */
  s: number
  readonly accessPoints: readonly AccessPointView[]
  readonly clients: readonly ClientView[]
}

interface LoadChange {
  before: number
  after: number
}

/** What is expected of a proposal, in the terms of its policy. */
interface Expected {
  reason: string
  /** Throughput of the client or of the clients concerned, in Mbit/s. */
  beforeMbps?: number
  afterMbps?: number
  /** Of the model: airtime that is needed of what is available, before and after this move. May be above 1. */
  fromLoad?: LoadChange
  toLoad?: LoadChange
  savedW?: number
}

/** Clients and access points are indexes of the view. */
export type Proposal =
  | { kind: 'steer'; client: number; from: number; to: number; expected: Expected }
  | { kind: 'sleep' | 'wake'; accessPoint: number; expected: Expected }

/** What became of a proposal. Statuses of a client that refuses are those of 802.11v. */
export interface Outcome {
  proposal: Proposal
  done: boolean
  status: number
}

export interface Policy {
  /** Called once a second. */
  decide: (view: View) => Proposal[]
  /** What became of the proposals of this second. */
  learn?: (outcomes: readonly Outcome[], view: View) => void
}
