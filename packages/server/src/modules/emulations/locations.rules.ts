import type { EmulatorSpec } from '@manc/contract'
import { invalid } from '../../errors.ts'
import { Gazetteer } from './gazetteer.store.ts'
import { locationOf, type Position } from './locations.format.ts'

/** A lookup takes a tenth of a millisecond, and a request body has space for many. */
const maxLocations = 2000

/** The positions of the locations of each spec. Throws a validation error that lists every unknown location. */
export function resolveLocations(specs: readonly EmulatorSpec[]): Position[][] {
  const different = new Set(specs.flatMap(({ locations }) => locations))
  if (different.size > maxLocations)
    throw invalid([
      {
        loc: ['body', 'emulators'],
        msg: `Value error, at most ${maxLocations} different locations at once`,
        type: 'value_error',
      },
    ])
  const known = new Map([...different].map((text) => [text, locationOf(text, Gazetteer.open())]))
  const unknown: { loc: (string | number)[]; msg: string; type: string }[] = []
  const positions = specs.map(({ locations }, spec) =>
    locations.map((text, index) => {
      const position = known.get(text)
      if (position) return position
      const loc = ['body', 'emulators', spec, 'locations', index]
      unknown.push({ loc, msg: 'Value error, neither coordinates nor a known place', type: 'value_error' })
      return { latitude: 0, longitude: 0 }
    }),
  )
  if (unknown.length > 0) throw invalid(unknown)
  // Only those that are used: they are stored, and read for every part.
  return positions.map((list, spec) => list.slice(0, specs[spec]?.num_access_points))
}
