import type { Box } from '@manc/sdk'
import type { Area } from './area.ts'

/** The box of a view of the map; undefined if it has all longitudes. */
export function boxOf([west, south, east, north]: Area): Box | undefined {
  if (east - west >= 360) return undefined
  return {
    west: wrapped(west),
    south: Math.max(-90, south),
    east: wrapped(east),
    north: Math.min(90, north),
  }
}

/**
 * A larger view with round bounds: it stays the same for small moves of the map, and is the same for callers that look at the same
 * place, so that the controller can share its result.
 */
export function rounded([west, south, east, north]: Area): Area {
  const span = Math.max(east - west, north - south)
  const step = 180 / 2 ** Math.floor(Math.log2(360 / span))
  const down = (degrees: number) => Math.floor(degrees / step) * step
  const up = (degrees: number) => Math.ceil(degrees / step) * step
  return [down(west), Math.max(-90, down(south)), up(east), Math.min(90, up(north))]
}

/** Whether a view shows a whole box. */
export function contains([west, south, east, north]: Area, box: Box): boolean {
  const isHigh = south <= box.south && north >= box.north
  // A map that was panned around the world has longitudes beyond ±180.
  return isHigh && [-360, 0, 360].some((turn) => west <= box.west + turn && east >= box.east + turn)
}

/** Between -180 and 180. */
const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180
