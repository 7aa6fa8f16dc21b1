/** At most so many are found at once. */
const maxFound = 80

/** Access points by squares of the size of their range, so that a client looks at nine squares only. */
export class Grid {
  readonly #sizeM: number
  readonly #squares = new Map<number, number[]>()
  readonly #xs: Float64Array
  readonly #ys: Float64Array

  constructor(sizeM: number, xs: Float64Array, ys: Float64Array, members: readonly number[]) {
    this.#sizeM = sizeM
    this.#xs = xs
    this.#ys = ys
    for (const member of members) {
      const key = keyOf(this.#square(xs[member] as number), this.#square(ys[member] as number))
      const square = this.#squares.get(key)
      if (square) square.push(member)
      else this.#squares.set(key, [member])
    }
  }

  /**
   * Writes the nearest members within the size of a square into `found` from `at` on, the nearest first, and -1 behind them.
   * Of equal distances the lower index is first.
   */
  nearest(x: number, y: number, found: Int32Array, at: number, count: number): void {
    const column = this.#square(x)
    const row = this.#square(y)
    let used = 0
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++) {
        const square = this.#squares.get(keyOf(column + dx, row + dy))
        if (!square) continue
        for (const member of square) {
          const east = x - (this.#xs[member] as number)
          const north = y - (this.#ys[member] as number)
          const squared = east * east + north * north
          if (squared > this.#sizeM * this.#sizeM) continue
          let place = used
          while (
            place > 0 &&
            isBefore(squared, member, distances[place - 1] as number, members[place - 1] as number)
          )
            place -= 1
          if (place >= count) continue
          const last = Math.min(used, count - 1)
          for (let n = last; n > place; n--) {
            distances[n] = distances[n - 1] as number
            members[n] = members[n - 1] as number
          }
          distances[place] = squared
          members[place] = member
          if (used < count) used += 1
        }
      }
    for (let n = 0; n < count; n++) found[at + n] = n < used ? (members[n] as number) : -1
  }

  #square(metres: number): number {
    return Math.floor(metres / this.#sizeM)
  }
}

// Used within one call, to avoid allocations.
const distances = new Float64Array(maxFound)
const members = new Int32Array(maxFound)

function isBefore(squared: number, member: number, otherSquared: number, other: number): boolean {
  return squared < otherSquared || (squared === otherSquared && member < other)
}

/** Sites are far apart, so columns need more than 16 bits. */
const keyOf = (column: number, row: number) => column * 0x10_0000 + row
