import { isPersonInBeam, overDeskM } from '../radio/lifi.ts'
import type { AccessPoint } from './access-point.ts'
import { type Candidates, firstSlots, slots } from './candidates.ts'
import type { ClientStates } from './client-states.ts'
import { lifi, slotCounts } from './parameters.ts'

/** A person in the way of light: shoulders are half a metre wide, and heads a metre above the desks. */
const person = { radiusM: 0.25, overDeskM: 1 }
const shadowedPart = person.overDeskM / overDeskM
/** What still arrives by reflection, of the direct light: past a person, and past an obstacle at the luminaire itself. */
const reflected = { person: 0.02, obstacle: 0.002 }

/** The light between luminaires and clients, and the persons that are in its way. */
export class LightPaths {
  readonly #accessPoints: readonly AccessPoint[]
  readonly #states: ClientStates
  readonly #candidates: Candidates
  readonly #xs: Float64Array
  readonly #ys: Float64Array
  /** Clients that walk near a luminaire. */
  readonly #walkers: Map<number, number[]> = new Map()

  constructor(world: {
    accessPoints: readonly AccessPoint[]
    states: ClientStates
    candidates: Candidates
    xs: Float64Array
    ys: Float64Array
  }) {
    this.#accessPoints = world.accessPoints
    this.#states = world.states
    this.#candidates = world.candidates
    this.#xs = world.xs
    this.#ys = world.ys
  }

  /** Begins a second: who walks beneath luminaires. */
  begin(): void {
    this.#walkers.clear()
    const { count, isMoving, present } = this.#states
    const { accessPoints } = this.#candidates
    for (let client = 0; client < count; client++) {
      if (isMoving[client] === 0 || present[client] === 0) continue
      const from = client * slots + firstSlots[lifi]
      for (let slot = from; slot < from + slotCounts[lifi]; slot++) {
        const index = accessPoints[slot] as number
        if (index < 0) break
        const known = this.#walkers.get(index)
        if (known) known.push(client)
        else this.#walkers.set(index, [client])
      }
    }
  }

  /** The part of the direct light that arrives, 0 to 1. */
  partOf(client: number, luminaire: number, s: number): number {
    const { moment } = this.#accessPoints[luminaire] as AccessPoint
    if (moment.beamBlocked) return reflected.obstacle
    const isPassed =
      isPersonInBeam(this.#states.seed[client] as number, { s, people: moment.people }) ||
      this.#isShadowed(client, luminaire)
    return isPassed ? reflected.person : 1
  }

  /** Another client walks between the luminaire and the client: within the part of the way that is lower than a head. */
  #isShadowed(client: number, luminaire: number): boolean {
    const walkers = this.#walkers.get(luminaire)
    if (!walkers) return false
    const { x, y } = this.#states
    const east = (this.#xs[luminaire] as number) - (x[client] as number)
    const north = (this.#ys[luminaire] as number) - (y[client] as number)
    const squared = east * east + north * north
    if (squared < person.radiusM * person.radiusM) return false
    for (const walker of walkers) {
      if (walker === client) continue
      const dx = (x[walker] as number) - (x[client] as number)
      const dy = (y[walker] as number) - (y[client] as number)
      const along = (dx * east + dy * north) / squared
      if (along <= 0 || along >= shadowedPart) continue
      const aside = dx * north - dy * east
      if (aside * aside < person.radiusM * person.radiusM * squared) return true
    }
    return false
  }
}
