import type uPlot from 'uplot'

/** Charts that share a cursor and are exported as one image. */
export class ChartGroup {
  readonly key: string
  /** By title, in the order of the page. */
  readonly plots = new Map<string, uPlot>()
  #moment: number | undefined
  readonly #listeners = new Set<() => void>()

  constructor(key: string) {
    this.key = key
  }

  /** The time at the cursor in milliseconds; undefined without a cursor. */
  readonly moment = (): number | undefined => this.#moment

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Moves the cursor of all charts to a time. */
  showAt(ms: number): void {
    const [plot] = this.plots.values()
    plot?.setCursor({ left: plot.valToPos(ms, 'x'), top: plot.over.clientHeight / 2 })
  }

  point(moment: number | undefined): void {
    if (moment === this.#moment) return
    this.#moment = moment
    for (const listener of this.#listeners) listener()
  }
}
