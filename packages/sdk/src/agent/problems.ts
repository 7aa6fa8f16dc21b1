import type { Problem } from './problem.ts'

/** What is wrong now. Each kind is told once, until it has passed. */
export class Problems {
  readonly tell: (problem: Problem) => void
  readonly #standing = new Map<Problem['kind'], Problem>()

  constructor(tell: (problem: Problem) => void) {
    this.tell = tell
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
