import type { JobKind } from '@manc/contract'
import type { Caller } from '../../access.ts'

/** An item for clients that are connected at the moment. It is not stored. */
export interface LiveItem {
  /** Which items it supersedes: of two with the same key a slow client gets the later one. */
  key: string
  /** JSON text. */
  text: string
}

/** The items of jobs that do not end. */
export interface LiveSource {
  kind: JobKind
  /** Returns the function that stops it. */
  watch(request: Record<string, unknown>, caller: Caller, watcher: (item: LiveItem) => void): () => void
}
