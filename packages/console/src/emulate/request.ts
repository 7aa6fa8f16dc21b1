import type { EmulatorSpec, Scenario, ValidationItem } from '@manc/sdk'
import { type Position, parsePosition, spreadAround } from './locations.ts'

/** Those that can be emulated. */
export const kinds = ['5G', 'WiFi', 'LiFi'] as const
export type Kind = (typeof kinds)[number]

/** What is asked for, as the page has it: all kinds share everything but their number. */
export interface Wish {
  /** 0 where there are none of a kind. */
  counts: Record<Kind, number>
  places: string[]
  /** Undefined: what suits each kind. */
  spreadM: number | undefined
  devices: number
  durationS: number
  scenario: Scenario
  /** Empty: another network each time. */
  seed: string
}

export const defaultRequest: Wish = {
  counts: { '5G': 5, WiFi: 20, LiFi: 10 },
  places: [],
  spreadM: undefined,
  devices: 12,
  durationS: 1800,
  scenario: 'daily',
  seed: '',
}

/** As the controller takes it. */
export function specsOf(wish: Wish): EmulatorSpec[] {
  const { counts, places, spreadM, devices, durationS, scenario, seed } = wish
  return kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({
      access_point_type: kind,
      num_access_points: counts[kind],
      locations: places,
      num_devices: devices,
      duration: durationS,
      scenario,
      ...(seed.trim() !== '' && { seed: seed.trim() }),
      ...(spreadM !== undefined && { spread_m: spreadM }),
    }))
}

/** The same network once more: where no seed was said, the number of the job was it. */
export function repeatedRequest(specs: readonly EmulatorSpec[], jobNumber: string): Wish {
  const [first] = specs
  const counts = { '5G': 0, WiFi: 0, LiFi: 0 }
  for (const { access_point_type: kind, num_access_points: n } of specs) counts[kind as Kind] += n
  return {
    counts,
    places: first?.locations ?? [],
    spreadM: first?.spread_m,
    devices: first?.num_devices ?? defaultRequest.devices,
    durationS: first?.duration ?? defaultRequest.durationS,
    scenario: first?.scenario ?? 'daily',
    seed: first?.seed ?? jobNumber,
  }
}

const totalOf = ({ counts }: Wish): number => kinds.reduce((sum, kind) => sum + counts[kind], 0)

/** What it comes to. Each access point measures once a second. */
export function estimateOf(wish: Wish) {
  const accessPoints = totalOf(wish)
  return { accessPoints, devices: accessPoints * wish.devices, samples: accessPoints * wish.durationS }
}

const maxDrawn = 3000

/** Where they will be, as nearly as can be told before: the seed turns each place about itself. */
export function sketchOf({ counts, places, spreadM }: Wish): (Position & { technology: Kind })[] {
  const known = places.map(parsePosition)
  return kinds.flatMap((technology) =>
    Array.from({ length: Math.min(counts[technology], maxDrawn) }, (_, n) => {
      const at = known[n % known.length]
      if (!at) return []
      return [{ technology, ...spreadAround(at, technology, Math.floor(n / known.length), spreadM) }]
    }).flat(),
  )
}

export interface Problems {
  /** By the index of the place. */
  places: Record<number, string>
  /** By the name of the field on the wire. */
  fields: Record<string, string>
  /** What belongs to no field of the page. */
  others: string[]
}

/** What the controller finds wrong, sorted to where it is to be shown. */
export function problemsIn(items: readonly ValidationItem[]): Problems {
  const problems: Problems = { places: {}, fields: {}, others: [] }
  for (const { loc, msg } of items) {
    const text = sentenceOf(msg)
    const [, , , field, index] = loc
    if (field === 'locations' && typeof index === 'number') problems.places[index] = text
    else if (typeof field === 'string') problems.fields[field] = text
    else problems.others.push(text)
  }
  return problems
}

function sentenceOf(msg: string): string {
  const text = msg.replace(/^Value error, /, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
