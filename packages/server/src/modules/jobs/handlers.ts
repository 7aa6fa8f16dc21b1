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

/** The kinds of jobs that the worker does, each registered by the module that it belongs to. */
export class JobHandlers {
  readonly #handlers = new Map<string, JobHandler>()

  add(handler: JobHandler): void {
    if (this.#handlers.has(handler.kind))
      throw new Error(`Jobs of the kind ${handler.kind} have two handlers.`)
    this.#handlers.set(handler.kind, handler)
  }

  get(kind: string): JobHandler | undefined {
    return this.#handlers.get(kind)
  }

  [Symbol.iterator](): Iterator<JobHandler> {
    return this.#handlers.values()
  }
}
