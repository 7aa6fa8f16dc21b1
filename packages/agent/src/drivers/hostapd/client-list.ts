import type { AttachedClient } from '@manc/sdk/agent'
import type { Station } from './link.ts'

interface Known {
  connectedS: number
  since: string
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
    return stations.map(({ address, connectedS, signalDbm, rateMbps }) => {
      const since = this.#sinceOf(address, connectedS, before.get(address), nowMs)
      return {
        client: address,
        ...(since !== undefined && { since }),
        ...(signalDbm !== undefined && { signal_dbm: signalDbm }),
        ...(rateMbps !== undefined && { rate_mbps: rateMbps }),
      }
    })
  }

  #sinceOf(
    address: string,
    connectedS: number | undefined,
    known: Known | undefined,
    nowMs: number,
  ): string | undefined {
    if (!isDuration(connectedS)) return undefined
    const isSame = known !== undefined && connectedS >= known.connectedS
    const since = isSame ? known.since : new Date(nowMs - connectedS * 1000).toISOString()
    this.#known.set(address, { connectedS, since })
    return since
  }
}

/** Up to 30 years: others have no date. */
const isDuration = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && seconds >= 0 && seconds < 1e9
