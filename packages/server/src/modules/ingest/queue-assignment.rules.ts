export interface AssignedQueue {
  name: string
  /** Null: no ingester consumes it. */
  ingester: string | null
}

/**
 * The queues that have to change their ingester so that these ingesters have the same number of queues, give or take one.
 * No other queue moves: its unacknowledged messages would be delivered twice.
 */
export function reassignments(
  queues: readonly AssignedQueue[],
  ingesters: readonly string[],
): AssignedQueue[] {
  if (ingesters.length === 0) return []
  const owned = new Map<string, string[]>(ingesters.map((id) => [id, []]))
  const free: string[] = []
  for (const { name, ingester } of queues)
    (ingester === null ? free : (owned.get(ingester) ?? free)).push(name)
  // Those with the most queues keep one more where the queues cannot be divided equally.
  const byCount = [...owned].sort(([a, own], [b, other]) => other.length - own.length || (a < b ? -1 : 1))
  const share = Math.floor(queues.length / ingesters.length)
  const withOneMore = queues.length % ingesters.length
  const quotaOf = (rank: number) => share + (rank < withOneMore ? 1 : 0)
  for (const [rank, [, names]] of byCount.entries()) free.push(...names.splice(quotaOf(rank)))
  return byCount.flatMap(([ingester, names], rank) =>
    free.splice(0, quotaOf(rank) - names.length).map((name) => ({ name, ingester })),
  )
}
