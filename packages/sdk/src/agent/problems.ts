import type { Problem } from './problem.ts'

/** What is wrong now. Each kind is told once, until it has passed. */
export class Problems {
  readonly #listener: (problem: Problem) => void
  readonly #standing = new Map<Problem['kind'], Problem>()

  constructor(tell: (problem: Problem) => void) {
    this.#listener = tell
  }

  /** A listener that fails must not stop what it is told of: its error is the program's, outside of ours. */
  tell(problem: Problem): void {
    try {
      this.#listener(problem)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  get standing(): Problem[] {
    return [...this.#standing.values()]
  }

  stands(problem: Problem): void {
    const isNew = !this.#standing.has(problem.kind)
    this.#standing.set(problem.kind, problem)
    if (isNew) this.tell(problem)
  }

  passed(...kinds: Problem['kind'][]): void {
    for (const kind of kinds) this.#standing.delete(kind)
  }
}
