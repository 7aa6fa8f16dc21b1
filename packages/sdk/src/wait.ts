const firstMs = 250
const maxMs = 10_000

/** Delay after attempt number `attempt`: doubles each time, with jitter so that callers do not retry in step. */
export const backoffMs = (attempt: number): number =>
  Math.min(maxMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Throws the reason of the signal when it is aborted. */
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

/** Resolves with the promise, or throws when the signal is aborted first. */
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
