import type { Neighbour } from '../neighbours.ts'

/** A BSS of hostapd. Members that the device does not tell are undefined. */
export interface BssStatus {
  bssid: string
  ssid?: string | undefined
  channel?: number | undefined
  frequencyMhz?: number | undefined
  txPowerDbm?: number | undefined
  noiseDbm?: number | undefined
  /** Part of the time in which the channel is in use, 0 to 1. */
  utilisation?: number | undefined
  /** Counters of the channel: the part since the reading before is more exact than `utilisation`. */
  airtime?: { activeMs: number; busyMs: number } | undefined
}

export interface Station {
  /** Lower case, with colons. */
  address: string
  signalDbm?: number | undefined
  /** From the station. */
  rxBytes?: number | undefined
  /** To the station. */
  txBytes?: number | undefined
  /** To the station. */
  rateMbps?: number | undefined
  connectedS?: number | undefined
  /** Whether it supports BSS transition [IEEE 802.11, 9.4.2.26]. Undefined: it is not known. */
  canTransition?: boolean | undefined
}

/** What a station has answered to a request to move. */
export interface TransitionAnswer {
  /** Undefined: the device does not pass answers on. */
  status?: number | undefined
  target?: string | undefined
}

/** One BSS, through ubus or through the control socket of hostapd. */
export interface HostapdLink {
  status(signal: AbortSignal): Promise<BssStatus>
  stations(signal: AbortSignal): Promise<Station[]>
  /** How this BSS is described to stations; undefined if hostapd does not tell. */
  ownReport(signal: AbortSignal): Promise<string | undefined>
  /** Resolves with the answer of the station; undefined if there is none within the time. */
  requestTransition(
    address: string,
    to: Neighbour,
    withinMs: number,
    signal: AbortSignal,
  ): Promise<TransitionAnswer | undefined>
  switchChannel(frequencyMhz: number, signal: AbortSignal): Promise<void>
  disconnect(address: string, signal: AbortSignal): Promise<void>
  /** The station has moved: hostapd need not wait until it has been silent for minutes. */
  forget?(address: string, signal: AbortSignal): Promise<void>
  /** Calls back when a station joins or leaves, until the signal aborts. Absent where the device does not tell. */
  watch?(onChange: () => void, signal: AbortSignal): Promise<void>
  /** Names of interfaces, or of objects of ubus. */
  discover(signal: AbortSignal): Promise<string[]>
  close(): void
}

export const macPattern = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i
