/** The items in parts of at most this size: each query of the database or of the metrics store has to end within its timeout. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
