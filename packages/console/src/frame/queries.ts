import { NotLoggedIn, SessionEnded } from '@manc/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'

type Listener = () => void
const listeners = new Set<Listener>()

/** Told when the controller does not know us any more. Returns how to stop listening. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The client library has tried again already: what it gives up on is shown. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof SessionEnded || error instanceof NotLoggedIn)
        for (const listener of listeners) listener()
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 1000 } },
})

/** For people: what happened, and what to do next. The client library's errors say both. */
export const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))
