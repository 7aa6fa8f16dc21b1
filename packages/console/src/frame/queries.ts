import { NotLoggedIn, SessionEnded } from '@manc/sdk'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

type Listener = (error: SessionEnded | NotLoggedIn) => void
const listeners = new Set<Listener>()

/** Told when the controller does not know us any more. Returns how to stop listening. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For what asks the controller without a query: where this was the end of the session, all hear of it. */
export function tellOfEnd(error: unknown): void {
  if (error instanceof SessionEnded || error instanceof NotLoggedIn)
    for (const listener of listeners) listener(error)
}

/**
 * The client library has tried again already: what it gives up on is shown. Nothing waits for the network to come back:
 * what was asked for then would happen when nobody expects it any more.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: tellOfEnd }),
  mutationCache: new MutationCache({ onError: tellOfEnd }),
  defaultOptions: {
    queries: { retry: false, staleTime: 1000, networkMode: 'always', refetchOnReconnect: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** For people: what happened, and what to do next. The client library's errors say both. */
export const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))
