const firstMs = 250
const longestMs = 10_000

/** How long to wait before the attempt after `attempt`: twice as long each time, and never all callers at once. */
export const backoffMs = (attempt: number): number =>
  Math.min(longestMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Throws what the signal was aborted with. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** What is awaited, unless the signal comes first. */
export async function unlessAborted<T>(awaited: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return awaited
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([awaited, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
