import { NotLoggedIn, SessionEnded } from '@manc/sdk'

interface Following {
  /** Follows until it fails or the signal is aborted. */
  follow: () => Promise<void>
  signal: AbortSignal
  onError: (error: unknown) => void
  delayMs: number
}

/**
 * Follows again some time after each failure: a stream that gives up, for example after a long outage, would otherwise be
 * missing until the page is reloaded. It stops when the session has ended, since only a new sign-in helps.
 */
export async function keepFollowing({ follow, signal, onError, delayMs }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow()
    } catch (error) {
      if (signal.aborted) return
      onError(error)
      if (error instanceof SessionEnded || error instanceof NotLoggedIn) return
    }
    await delay(delayMs, signal)
  }
}

/** Resolves early when the signal is aborted. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
