import { qualityOf } from '../signals.ts'
import type { Policy, Proposal, View } from '../view.types.ts'

/** A lead in quality, the shortest stay and the age of a report, in seconds. */
const lead = 0.1
const stayS = 10
const freshS = 6

/** Each client is moved to the access point that it hears best, whatever its load. */
export class StrongestSignal implements Policy {
  decide({ s, accessPoints, clients }: View): Proposal[] {
    const proposals: Proposal[] = []
    clients.forEach(({ accessPoint: from, sinceS, signal, heard, heardS }, client) => {
      const serving = accessPoints[from]
      if (!serving || heardS !== s || s - sinceS < stayS || s - heardS > freshS) return
      let best = qualityOf(serving.technology, signal) + lead
      let to = -1
      for (const one of heard) {
        const other = accessPoints[one.accessPoint]
        if (!other?.isOn || one.accessPoint === from) continue
        const quality = qualityOf(other.technology, one.signal)
        if (quality <= best) continue
        best = quality
        to = one.accessPoint
      }
      if (to >= 0)
        proposals.push({ kind: 'steer', client, from, to, expected: { reason: 'stronger signal' } })
    })
    return proposals
  }
}
