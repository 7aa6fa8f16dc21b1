/** A BSS as 802.11 describes it to stations: a neighbour report element [IEEE 802.11, 9.4.2.35], without its header. */
export interface Neighbour {
  bssid: string
  /** Hexadecimal: BSSID, BSSID information, operating class, channel, PHY type, and optional subelements. */
  report: string
  /** All BSSs of an access point with several, with the names of their networks. */
  bsss?: readonly { bssid: string; ssid: string }[]
  /**
   * A station that is listed there, with the seconds since it joined, if they are known. Undefined: this gateway does not manage
   * that access point.
   */
  findStation?: (address: string, signal: AbortSignal) => Promise<Visit | undefined>
}

interface Visit {
  connectedS?: number | undefined
}

/**
 * Whether a station has joined since the earlier visit. An access point may list a station for minutes that has left it for another,
 * and its time there counts on. Without that time, being listed counts.
 */
export function isNewVisit(visit: Visit | undefined, earlier: Visit | undefined): boolean {
  if (visit?.connectedS === undefined || earlier?.connectedS === undefined) return visit !== undefined
  return visit.connectedS < earlier.connectedS
}

/** The access points of this gateway that clients can be steered to, by ap_id. */
export class Neighbours {
  readonly #known = new Map<string, Neighbour>()

  set(apId: string, neighbour: Neighbour): void {
    this.#known.set(apId, neighbour)
  }

  get(apId: string): Neighbour | undefined {
    return this.#known.get(apId)
  }

  delete(apId: string): void {
    this.#known.delete(apId)
  }

  get names(): string[] {
    return [...this.#known.keys()]
  }
}
