export interface Finding {
  /** What went wrong, the same text for the same fault. */
  problem: string
  where: string
  /** The request and the response, shortened. */
  evidence: string
}

const shownPerProblem = 3
const shownLength = 1500

/** What a run has found, grouped by problem and place. */
export class Findings {
  readonly #groups = new Map<string, Finding[]>()
  #count = 0

  get count(): number {
    return this.#count
  }

  add(finding: Finding): void {
    this.#count += 1
    const key = `${finding.where}: ${finding.problem}`
    const group = this.#groups.get(key) ?? []
    group.push({ ...finding, evidence: finding.evidence.slice(0, shownLength) })
    this.#groups.set(key, group)
  }

  lines(): string[] {
    return [...this.#groups].flatMap(([key, group]) => [
      `${key} (${group.length} times)`,
      ...group.slice(0, shownPerProblem).map(({ evidence }) => `    ${evidence.replaceAll('\n', '\n    ')}`),
    ])
  }
}
