import { type EmulatorSpec, emulatedApId } from '@manc/contract'
import type { Position } from './locations.ts'
import { Spread } from './spread.ts'

/** Where one agent is, and by which of the specs it behaves. */
export interface Placed extends Position {
  ap_id: string
  spec: number
}

/**
 * The agents of an emulation in their order: ids and places follow from its number, its specs and where their locations
 * are, so that nobody has to keep them.
 */
export class Layout {
  readonly #specs: readonly EmulatorSpec[]
  readonly #places: readonly Position[][]
  readonly #jobNumber: string
  readonly #spreads: Spread[]

  constructor(jobNumber: string, specs: readonly EmulatorSpec[], places: readonly Position[][]) {
    this.#specs = specs
    this.#places = places
    this.#jobNumber = jobNumber
    this.#spreads = specs.map(
      ({ access_point_type: technology, seed = jobNumber, spread_m: spreadM }) =>
        new Spread({ technology, seed, spreadM }),
    )
  }

  get length(): number {
    return this.#specs.reduce((sum, spec) => sum + spec.num_access_points, 0)
  }

  ids(): string[] {
    return this.#each(0, this.length, (spec, _, n) => this.#idOf(spec, n))
  }

  /** Locations take turns; those who share one are spread around it. */
  agents(from = 0, to = this.length): Placed[] {
    return this.#each(from, to, (spec, nthOfSpec, n) => {
      const places = this.#places[spec] ?? []
      const at = places[nthOfSpec % places.length] as Position
      const { latitude, longitude } = (this.#spreads[spec] as Spread).position(
        at,
        Math.floor(nthOfSpec / places.length),
      )
      return { ap_id: this.#idOf(spec, n), spec, latitude, longitude }
    })
  }

  #idOf(spec: number, n: number): string {
    return emulatedApId(this.#specs[spec]?.access_point_type ?? '', this.#jobNumber, n + 1)
  }

  #each<Made>(from: number, to: number, make: (spec: number, nthOfSpec: number, n: number) => Made): Made[] {
    const made: Made[] = []
    let first = 0
    this.#specs.forEach(({ num_access_points: count }, spec) => {
      const end = Math.min(to, first + count)
      for (let n = Math.max(from, first); n < end; n++) made.push(make(spec, n - first, n))
      first += count
    })
    return made
  }
}
