import type { JobKind } from '@manc/contract'

/** Of one chunk, unless a single item is larger. */
export const maxChunkBytes = 256 * 1024

/** A piece of a result, and the cursor from which to continue after it was delivered. */
export interface Chunk {
  /** JSON text of an array. */
  items: string
  cursor: string
  isLast: boolean
}

/** Does one kind of job. */
export interface JobHandler {
  kind: JobKind
  /** The last segment of the callback's path. */
  callback: 'agent_details' | 'agent_data' | 'emulator'
  /** The result from the cursor on: at least one chunk, the last one marked. */
  chunks(
    request: Record<string, unknown>,
    cursor: string | undefined,
    jobNumber: string,
  ): AsyncIterable<Chunk>
}
