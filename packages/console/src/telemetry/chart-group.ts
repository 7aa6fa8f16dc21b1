import type uPlot from 'uplot'

/** Charts that are looked at together: they share a cursor, and go into one picture. */
export class ChartGroup {
  readonly key: string
  /** By their titles, in the order in which they are on the page. */
  readonly plots = new Map<string, uPlot>()
  #moment: number | undefined
  readonly #listeners = new Set<() => void>()

  constructor(key: string) {
    this.key = key
  }

  /** Where the cursor is, in milliseconds; undefined where it is nowhere. */
  readonly moment = (): number | undefined => this.#moment

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  point(moment: number | undefined): void {
    if (moment === this.#moment) return
    this.#moment = moment
    for (const listener of this.#listeners) listener()
  }
}
