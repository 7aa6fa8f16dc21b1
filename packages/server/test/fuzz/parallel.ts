/** Works on the items with so many at a time. */
export async function inParallel<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const pending = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = pending.next(); !next.done; next = pending.next()) await work(next.value)
    }),
  )
}

/** Sizes of chunks that add up to the total. */
export const chunkSizes = (total: number, size: number): number[] =>
  Array.from({ length: Math.ceil(total / size) }, (_, n) => Math.min(size, total - n * size))
