/** A station of the test peers. */
export interface PeerStation {
  address: string
  signal: number
  rxBytes: number
  txBytes: number
  /** What it answers to a request to move; undefined: nothing. */
  answer: number | undefined
  /** Whether it goes where it has agreed to go. */
  keepsPromise: boolean
  supports11v: boolean
  /** When it joined. */
  joinedMs: number
}

export interface PeerBss {
  name: string
  bssid: string
  channel: number
  frequencyMhz: number
  report: string
  stations: Map<string, PeerStation>
}

export const station = (address: string, more: Partial<PeerStation> = {}): PeerStation => ({
  address,
  signal: -55,
  rxBytes: 1000,
  txBytes: 2000,
  answer: 0,
  keepsPromise: true,
  supports11v: true,
  joinedMs: Date.now() - 12_000,
  ...more,
})

/** Two access points and their stations, which peers of both protocols serve. */
export class WifiWorld {
  readonly bsss: PeerBss[] = [
    bss('ap1', '02:00:00:00:00:00', 1, 2412),
    bss('ap2', '02:00:00:00:01:00', 11, 2462),
  ]

  named(name: string): PeerBss | undefined {
    return this.bsss.find((each) => each.name === name)
  }

  add(name: string, ...stations: PeerStation[]): void {
    for (const each of stations) this.named(name)?.stations.set(each.address, each)
  }

  /** In the band of 2.4 GHz. The neighbour report has the channel. */
  switchChannel(of: PeerBss, frequencyMhz: number): void {
    const channel = (frequencyMhz - 2407) / 5
    const { report } = bss(of.name, of.bssid, channel, frequencyMhz)
    Object.assign(of, { channel, frequencyMhz, report })
  }

  /** The answer of a station that is asked to move; it moves if it keeps its promise. */
  ask(from: PeerBss, address: string, to: string): { status: number; target: string } | undefined {
    const found = from.stations.get(address)
    const target = this.bsss.find(({ bssid }) => bssid === to)
    if (!found || found.answer === undefined) return undefined
    if (found.answer === 0 && found.keepsPromise && target) {
      from.stations.delete(address)
      target.stations.set(address, Object.assign(found, { joinedMs: Date.now() }))
    }
    return { status: found.answer, target: to }
  }
}

function bss(name: string, bssid: string, channel: number, frequencyMhz: number): PeerBss {
  const octets = [81, channel, 7].map((octet) => octet.toString(16).padStart(2, '0')).join('')
  const report = `${bssid.replaceAll(':', '')}af090000${octets}`
  return { name, bssid, channel, frequencyMhz, report, stations: new Map() }
}
