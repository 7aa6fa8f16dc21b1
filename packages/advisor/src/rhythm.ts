import type { View } from './view.types.ts'

/** Intervals between blockages that differ by less are a period, in seconds. */
const toleranceS = 3
const keptBegins = 3

/** Blockages of a luminaire that follow a period, as those of machines do: when the next one begins. */
export class Rhythm {
  /** By access point, the last first. */
  readonly #begins: number[][] = []
  readonly #wasBlocked: boolean[] = []

  update({ s, accessPoints }: View): void {
    accessPoints.forEach(({ isBlocked }, index) => {
      if (isBlocked && this.#wasBlocked[index] === false)
        this.#begins[index] = [s, ...(this.#begins[index] ?? [])].slice(0, keptBegins)
      this.#wasBlocked[index] = isBlocked
    })
  }

  /** Seconds until the next blockage; infinite where none is known. */
  untilNext(index: number, s: number): number {
    const [last, second, third] = this.#begins[index] ?? []
    if (last === undefined || second === undefined || third === undefined) return Number.POSITIVE_INFINITY
    const period = last - second
    if (Math.abs(period - (second - third)) > toleranceS) return Number.POSITIVE_INFINITY
    const next = last + period
    return s <= next + toleranceS ? next - s : Number.POSITIVE_INFINITY
  }
}
