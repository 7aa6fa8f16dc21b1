import type { Problem } from './problem.ts'

/** The problems that exist now. The listener is called once per kind, until the problem is resolved. */
export class ActiveProblems {
  readonly #listener: (problem: Problem) => void
  readonly #active = new Map<Problem['kind'], Problem>()

  constructor(listener: (problem: Problem) => void) {
    this.#listener = listener
  }

  get list(): Problem[] {
    return [...this.#active.values()]
  }

  /** An error of the listener is rethrown outside of the agent, which continues. */
  report(problem: Problem): void {
    try {
      this.#listener(problem)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  add(problem: Problem): void {
    const isNew = !this.#active.has(problem.kind)
    this.#active.set(problem.kind, problem)
    if (isNew) this.report(problem)
  }

  resolve(...kinds: Problem['kind'][]): void {
    for (const kind of kinds) this.#active.delete(kind)
  }
}
