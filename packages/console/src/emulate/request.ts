import type { EmulatorSpec, Scenario, ValidationItem } from '@manc/sdk'
import { type Position, parsePosition, spreadAround } from './locations.ts'

/** Technologies that can be emulated. */
export const emulatedTechnologies = ['5G', 'WiFi', 'LiFi'] as const
export type EmulatedTechnology = (typeof emulatedTechnologies)[number]

/** Without the texts of its locations. */
export type StoredSpec = Omit<EmulatorSpec, 'locations'>

/** The values of the form. Technologies differ in their count only. */
export interface EmulationRequest {
  /** 0 if a technology is not emulated. */
  counts: Record<EmulatedTechnology, number>
  locations: string[]
  /** Undefined: the default of each technology. */
  spreadM: number | undefined
  clients: number
  durationS: number
  scenario: Scenario
  /** Empty: random. */
  seed: string
}

export const defaultRequest: EmulationRequest = {
  counts: { '5G': 5, WiFi: 20, LiFi: 10 },
  locations: [],
  spreadM: undefined,
  clients: 12,
  durationS: 1800,
  scenario: 'daily',
  seed: '',
}

/** The body of the request to the controller. */
export function specsOf(request: EmulationRequest): EmulatorSpec[] {
  const { counts, locations, spreadM, clients, durationS, scenario, seed } = request
  return emulatedTechnologies
    .filter((technology) => counts[technology] > 0)
    .map((technology) => ({
      access_point_type: technology,
      num_access_points: counts[technology],
      locations,
      num_devices: clients,
      duration: durationS,
      scenario,
      ...(seed.trim() !== '' && { seed: seed.trim() }),
      ...(spreadM !== undefined && { spread_m: spreadM }),
    }))
}

/** A request for the same network. Without a seed the controller used the job number as seed. */
export function repeatedRequest(specs: readonly EmulatorSpec[], jobNumber: string): EmulationRequest {
  const [first] = specs
  const counts = { '5G': 0, WiFi: 0, LiFi: 0 }
  for (const { access_point_type: technology, num_access_points: n } of specs)
    counts[technology as EmulatedTechnology] += n
  return {
    counts,
    locations: first?.locations ?? [],
    spreadM: first?.spread_m,
    clients: first?.num_devices ?? defaultRequest.clients,
    durationS: first?.duration ?? defaultRequest.durationS,
    scenario: first?.scenario ?? 'daily',
    seed: first?.seed ?? jobNumber,
  }
}

/** The specifications in the request of a job, as the controller has stored them. */
export function specsIn(request: Record<string, unknown> | undefined): StoredSpec[] | undefined {
  const specs = request?.['emulators']
  return Array.isArray(specs) ? (specs as StoredSpec[]) : undefined
}

const accessPointCount = ({ counts }: EmulationRequest): number =>
  emulatedTechnologies.reduce((sum, technology) => sum + counts[technology], 0)

/** The size of the emulation. Each access point sends one sample per second. */
export function estimateOf(request: EmulationRequest) {
  const accessPoints = accessPointCount(request)
  return { accessPoints, clients: accessPoints * request.clients, samples: accessPoints * request.durationS }
}

const maxDrawn = 3000

/** Approximate positions: the seed rotates the access points around their location. */
export function sketchOf({
  counts,
  locations,
  spreadM,
}: EmulationRequest): (Position & { technology: EmulatedTechnology })[] {
  const positions = locations.map(parsePosition)
  return emulatedTechnologies.flatMap((technology) =>
    Array.from({ length: Math.min(counts[technology], maxDrawn) }, (_, n) => {
      const position = positions[n % positions.length]
      if (!position) return []
      return [
        { technology, ...spreadAround(position, technology, Math.floor(n / positions.length), spreadM) },
      ]
    }).flat(),
  )
}

export interface FormErrors {
  /** By the index of the location. */
  locations: Record<number, string>
  /** By the name of the field in the API. */
  fields: Record<string, string>
  /** Errors that belong to no field of the form. */
  others: string[]
}

/** Assigns the validation errors of the controller to the fields of the form. */
export function formErrorsIn(items: readonly ValidationItem[]): FormErrors {
  const errors: FormErrors = { locations: {}, fields: {}, others: [] }
  for (const { loc, msg } of items) {
    const text = sentenceOf(msg)
    const [, , , field, index] = loc
    if (field === 'locations' && typeof index === 'number') errors.locations[index] = text
    else if (typeof field === 'string') errors.fields[field] = text
    else errors.others.push(text)
  }
  return errors
}

function sentenceOf(msg: string): string {
  const text = msg.replace(/^Value error, /, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
