import { NotLoggedIn, SessionEnded } from '@manc/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

type Listener = (error: SessionEnded | NotLoggedIn) => void
const listeners = new Set<Listener>()

/** Called when the session has ended. Returns a function that unsubscribes. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notifies the listeners if the error is the end of the session. Requests outside of queries call it themselves. */
export function reportSessionEnd(error: unknown): void {
  if (error instanceof SessionEnded || error instanceof NotLoggedIn)
    for (const listener of listeners) listener(error)
}

/**
 * No retries: the SDK has retried already. No waiting for the network to come back: a request would then be sent when the
 * user no longer expects it.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportSessionEnd }),
  mutationCache: new MutationCache({ onError: reportSessionEnd }),
  defaultOptions: {
    queries: { retry: false, staleTime: 1000, networkMode: 'always', refetchOnReconnect: 'always' },
    mutations: { networkMode: 'always' },
  },
})
