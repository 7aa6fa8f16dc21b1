import type { JobKind } from '@manc/contract'

/** A part of an answer: a JSON array, and from where to go on once it has been delivered. */
export interface Chunk {
  items: string
  cursor: string
  isLast: boolean
}

/** How one kind of job is done. */
export interface JobHandler {
  kind: JobKind
  /** The last word of the callback's path. */
  callback: 'agent_details' | 'agent_data' | 'emulator'
  /** The answer from the cursor on, piece by piece; at least one, the last marked as such. */
  chunks(
    request: Record<string, unknown>,
    cursor: string | undefined,
    jobNumber: string,
  ): AsyncIterable<Chunk>
}

/** Throws where a kind of job has no handler, or two: better at start than at the first such job. */
export function registryOf(
  kinds: readonly JobKind[],
  handlers: readonly JobHandler[],
): ReadonlyMap<string, JobHandler> {
  for (const kind of kinds) {
    const found = handlers.filter((handler) => handler.kind === kind).length
    if (found !== 1)
      throw new Error(`Jobs of the kind ${kind} have ${found} handlers: register one in compose/rooms.ts.`)
  }
  return new Map(handlers.map((handler) => [handler.kind, handler]))
}
