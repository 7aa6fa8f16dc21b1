import { mix, unit } from '../radio/random.ts'
import type { AccessPoint } from './access-point.ts'
import { radioChances, technologyNames } from './parameters.ts'
import type { MemberSpec } from './types.ts'

type Heard = MemberSpec['heard']

interface Member {
  spec: MemberSpec
  radios: number
}

/**
 * Clients of a network that exists. What each of them hears is known, and not where it is. When one walks, it hears what
 * another client of the same access point has heard: the places of all stay like those of the network.
 */
export class Members {
  readonly #accessPoints: readonly AccessPoint[]
  readonly #members = new Map<number, Member>()
  readonly #ofAccessPoint = new Map<number, number[]>()
  /** Nothing is heard of technologies of which some access points are off: their radios are drawn at random. */
  readonly #uncertain: number

  constructor(accessPoints: readonly AccessPoint[]) {
    this.#accessPoints = accessPoints
    const off = accessPoints.filter(({ spec }) => spec.isOff)
    this.#uncertain = off.reduce((bits, { technology }) => bits | (1 << technology), 0)
  }

  add(client: number, home: AccessPoint, spec: MemberSpec, seed: number): void {
    const known = this.#ofAccessPoint.get(home.index)
    if (known) known.push(client)
    else this.#ofAccessPoint.set(home.index, [client])
    let radios = this.#technologiesOf(spec.heard) | (1 << home.technology)
    for (let technology = 0; technology < technologyNames.length; technology++)
      if (
        (this.#uncertain & (1 << technology)) !== 0 &&
        unit(mix(seed, 10, technology)) < (radioChances[home.technology]?.[technology] ?? 0)
      )
        radios |= 1 << technology
    this.#members.set(client, { spec, radios })
  }

  /** Undefined where the client is assumed and not known. */
  of(client: number): Member | undefined {
    return this.#members.get(client)
  }

  /** What a client hears after it has walked to the place of another one, of those of these access points. */
  heardAt(client: number, accessPoints: readonly number[], chance: number): Heard {
    const { spec, radios } = this.#members.get(client) as Member
    const others = accessPoints.flatMap((accessPoint) => this.#ofAccessPoint.get(accessPoint) ?? [])
    const other = this.#members.get(others[Math.floor(chance * others.length)] ?? client) as Member
    if ((other.radios & radios) === 0) return spec.heard
    const heardWith = (heard: Heard, bits: number) =>
      heard.filter(([index]) => (bits & (1 << this.#technologyAt(index))) !== 0)
    // Of what the other one has no radio for, the client hears the same as before.
    return [...heardWith(other.spec.heard, radios), ...heardWith(spec.heard, radios & ~other.radios)]
  }

  #technologiesOf(heard: Heard): number {
    return heard.reduce((bits, [index]) => bits | (1 << this.#technologyAt(index)), 0)
  }

  #technologyAt(index: number): number {
    return (this.#accessPoints[index] as AccessPoint).technology
  }
}

interface Places {
  accessPoints: readonly AccessPoint[]
  xs: Float64Array
  ys: Float64Array
}

/** Where a client is, by what it hears: the middle of access points, near ones of short range weighing most. */
export function placeOfMember(heard: Heard, home: AccessPoint, { accessPoints, xs, ys }: Places) {
  let [x, y, sum] = [0, 0, 0]
  for (const [index, signal] of heard) {
    const { technology } = accessPoints[index] as AccessPoint
    const weight = (reach[technology] ?? 0) * 10 ** (signal / 20)
    x += weight * (xs[index] as number)
    y += weight * (ys[index] as number)
    sum += weight
  }
  if (sum > 0) return { x: x / sum, y: y / sum }
  return { x: xs[home.index] as number, y: ys[home.index] as number }
}

/** 5G says little about the place, and light nearly all. */
const reach = [1e-9, 1, 1e3]
