/** Clients that are steered to another access point for a while. Recorded at both access points. */
export interface Visit {
  count: number
  /** Mean demand of each client, as at its own access point. */
  demandMbps: number
  untilMs: number
}

export const stillAt = (visits: readonly Visit[], ms: number) => visits.filter(({ untilMs }) => untilMs > ms)

export function countAt(visits: readonly Visit[], ms: number): number {
  let count = 0
  for (const visit of visits) if (visit.untilMs > ms) count += visit.count
  return count
}
