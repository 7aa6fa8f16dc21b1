import type { AccessPointSpec } from '../world/types.ts'

type Technology = AccessPointSpec['technology']
type More = Partial<AccessPointSpec> & { devices: number }

/** Adds an access point at metres east and north of the middle. */
export type Add = (technology: Technology, eastM: number, northM: number, more: More) => void

/** What the access points of a world have in common. */
interface Common extends Required<Pick<AccessPointSpec, 'scenario' | 'durationS' | 'mix'>> {
  name: string
  seed: string
}

const metresPerDegree = 111_320
const latitude = 51.45
const longitude = -2.6

/** Attachments of the first minutes come from the start of the world. */
export const warmUpS = 120

/** Calls and browsing need so little that no policy changes their throughput: its p5 would be a figure of the demand. */
export const busyMix = { video: 0.6, upload: 0.4 }

/** An hour of a Tuesday. */
export const startOfDay = (hour: number) => Date.UTC(2026, 2, 10, hour)

/** Calls `each` for the places of a grid around the middle. */
export function grid(
  columns: number,
  rows: number,
  stepM: number,
  each: (x: number, y: number, n: number) => void,
) {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      each((column - (columns - 1) / 2) * stepM, (row - (rows - 1) / 2) * stepM, row * columns + column)
}

/** The access points of a world, with ids and seeds by their order. */
export class Plan {
  readonly accessPoints: AccessPointSpec[] = []
  readonly #common: Common

  constructor(common: Common) {
    this.#common = common
  }

  add(technology: Technology, eastM: number, northM: number, more: More): void {
    const { name, seed, scenario, durationS, mix } = this.#common
    const number = this.accessPoints.length + 1
    this.accessPoints.push({
      id: `emu-${technology.toLowerCase()}-0123abcd-${number}`,
      technology,
      seed: `${name} ${seed} ${number}`,
      network: `${name} ${seed}`,
      latitude: latitude + northM / metresPerDegree,
      longitude: longitude + eastM / metresPerDegree / Math.cos((latitude * Math.PI) / 180),
      scenario,
      durationS,
      mix,
      ...more,
    })
  }
}
