const intervalMs = 30_000
/** An alarm that was raised while a rule changed is committed within this time. */
const afterChangeMs = 60_000

/**
 * When all open alarms are compared with their rules and agents, which costs more the more there are: while rules change,
 * and now and then. Each replica decides for itself.
 */
export class FullPasses {
  #mark: string | undefined
  #changedMs = 0
  #passedMs = Number.NEGATIVE_INFINITY

  /** `mark` differs after each change of the rules. */
  isDue(mark: string, nowMs: number): boolean {
    if (mark !== this.#mark) {
      this.#mark = mark
      this.#changedMs = nowMs
    }
    return nowMs - this.#changedMs < afterChangeMs || nowMs - this.#passedMs >= intervalMs
  }

  /** Called after a pass that has not failed. */
  passed(nowMs: number): void {
    this.#passedMs = nowMs
  }
}
