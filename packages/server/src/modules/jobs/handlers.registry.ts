import type { JobHandler } from './handlers.types.ts'

/** The kinds of jobs that the worker does. Each module registers its own. */
export class JobHandlers {
  readonly #handlers = new Map<string, JobHandler>()

  add(handler: JobHandler): void {
    if (this.#handlers.has(handler.kind))
      throw new Error(`Jobs of the kind ${handler.kind} have two handlers. Register one of them.`)
    this.#handlers.set(handler.kind, handler)
  }

  get(kind: string): JobHandler | undefined {
    return this.#handlers.get(kind)
  }

  [Symbol.iterator](): Iterator<JobHandler> {
    return this.#handlers.values()
  }
}
