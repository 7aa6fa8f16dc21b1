import type { AttachedClient } from '@manc/sdk/agent'
import type { Station } from './link.ts'

/** Between the counter of the device, in whole seconds, and the time when its answer is handled; answers may also change their order. */
const toleranceS = 2

/** The last observation of an attachment. */
interface Known {
  connectedS: number
  rxBytes: number | undefined
  txBytes: number | undefined
  atMs: number
  sinceMs: number
}

/**
 * The stations as the controller knows them. Devices count the seconds of an attachment with their own clock. While that counts on, the
 * start stays the one that was computed first: if it moved with the difference of the clocks, the controller would see another attachment.
 */
export class ClientList {
  #known = new Map<string, Known>()

  clientsOf(stations: readonly Station[], nowMs: number): AttachedClient[] {
    const before = this.#known
    this.#known = new Map()
    return stations.map((station) => {
      const { address, signalDbm, rateMbps } = station
      const now = observation(station, before.get(address), nowMs)
      if (now) this.#known.set(address, now)
      return {
        client: address,
        ...(now && { since: new Date(now.sinceMs).toISOString() }),
        ...(signalDbm !== undefined && { signal_dbm: signalDbm }),
        ...(rateMbps !== undefined && { rate_mbps: rateMbps }),
      }
    })
  }
}

/** Undefined if the device does not tell for how long the station is attached. */
function observation(
  { connectedS, rxBytes, txBytes }: Station,
  known: Known | undefined,
  atMs: number,
): Known | undefined {
  if (!isDuration(connectedS)) return undefined
  const now = { connectedS, rxBytes, txBytes, atMs, sinceMs: atMs - connectedS * 1000 }
  if (!known || !isSame(known, now)) return now
  // An answer that was overtaken by a later one.
  if (connectedS < known.connectedS) return known
  return { ...now, sinceMs: known.sinceMs }
}

/** Whether a station has stayed, or left and come back between two observations. */
function isSame(known: Known, now: Known): boolean {
  if (Math.abs(now.sinceMs - known.sinceMs) <= toleranceS * 1000) return true
  if (now.connectedS < known.connectedS - toleranceS) return false
  const elapsedS = (now.atMs - known.atMs) / 1000
  // It was attached before the last observation.
  if (now.connectedS > elapsedS + toleranceS) return true
  // Bytes are counted from the association on: this needs no clock.
  if (hasFallen(known.rxBytes, now.rxBytes) || hasFallen(known.txBytes, now.txBytes)) return false
  // Of one that has come back, the time has grown less than the time between the observations. The clock of a virtual machine may be slow.
  return now.connectedS - known.connectedS >= elapsedS / 2 - 5
}

const hasFallen = (before: number | undefined, after: number | undefined): boolean =>
  before !== undefined && after !== undefined && after < before

/** Up to 30 years: others have no date. */
const isDuration = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && seconds >= 0 && seconds < 1e9
