import { emulatedApId } from '@manc/contract'
import type { PartSpec } from '@manc/contract/emulation-parts'
import type { Position } from './locations.format.ts'
import { Spread } from './spread.rules.ts'

/** The position of an agent and the number of its spec. */
export interface PlacedAgent extends Position {
  ap_id: string
  spec: number
}

/**
 * The agents of an emulation in their order. Ids and positions are computed from the job number, the specs and the
 * positions of their locations, so that they need not be stored.
 */
export class Layout {
  readonly #specs: readonly PartSpec[]
  readonly #locations: readonly Position[][]
  readonly #jobNumber: string
  readonly #spreads: Spread[]

  constructor(jobNumber: string, specs: readonly PartSpec[], locations: readonly Position[][]) {
    this.#specs = specs
    this.#locations = locations
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

  /** Assigned to the locations in turn; those of the same location are spread around it. */
  agents(from = 0, to = this.length): PlacedAgent[] {
    return this.#each(from, to, (spec, nthOfSpec, n) => {
      const locations = this.#locations[spec] ?? []
      const centre = locations[nthOfSpec % locations.length] as Position
      const { latitude, longitude } = (this.#spreads[spec] as Spread).position(
        centre,
        Math.floor(nthOfSpec / locations.length),
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
