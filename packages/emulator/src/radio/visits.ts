/** Clients of one access point that are elsewhere for a while: both it and the one that has them know of this. */
export interface Visit {
  count: number
  /** What each wants in the mean, as where it comes from. */
  demandMbps: number
  untilMs: number
}

export const stillAt = (visits: readonly Visit[], ms: number) => visits.filter(({ untilMs }) => untilMs > ms)

export function countAt(visits: readonly Visit[], ms: number): number {
  let count = 0
  for (const visit of visits) if (visit.untilMs > ms) count += visit.count
  return count
}
