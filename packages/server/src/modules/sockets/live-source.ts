import type { JobKind } from '@manc/contract'
import type { Caller } from '../../access.ts'
import type { Happening } from './live-feed.ts'

/** Jobs that do not end: their clients get what happens while they are connected. */
export interface LiveSource {
  kind: JobKind
  /** Answers how to stop. */
  watch(request: Record<string, unknown>, caller: Caller, watcher: (happening: Happening) => void): () => void
}
