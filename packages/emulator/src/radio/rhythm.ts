import type { Technology } from './types.ts'

/** The share of the devices that are there, hour by hour of the local solar day, from 0 to 1 o'clock on. */
const office = {
  weekday: table('2 2 2 2 2 3 8 25 60 82 90 88 72 78 92 90 82 62 35 18 10 6 4 3'),
  weekend: table('2 2 2 2 2 2 2 3 5 8 10 11 10 10 9 8 7 5 4 3 3 2 2 2'),
}
/** Mobile traffic has its peak in the evening, later at weekends. */
const street = {
  weekday: table('26 18 13 11 11 14 24 42 55 57 58 61 66 65 62 63 68 75 82 88 92 90 74 46'),
  weekend: table('36 27 19 14 12 12 16 23 34 45 54 62 67 68 68 69 71 74 79 84 88 88 78 58'),
}

function table(percentages: string): readonly number[] {
  return percentages.split(' ').map((percentage) => Number(percentage) / 100)
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How many of its devices are there at this hour of an ordinary week. */
export function rhythmAt(technology: Technology, ms: number, longitude: number): number {
  const days = technology === '5G' ? street : office
  const local = solarMs(ms, longitude)
  const hours = local / hourMs
  // A figure stands for the middle of its hour.
  const before = Math.floor(hours - 0.5)
  const from = at(days, before)
  return from + (at(days, before + 1) - from) * (hours - 0.5 - before)
}

function at(days: typeof office, hour: number): number {
  const day = Math.floor(hour / 24)
  // The first day of 1970 was a Thursday.
  const isWeekend = (((day + 3) % 7) + 7) % 7 >= 5
  return (isWeekend ? days.weekend : days.weekday)[hour - 24 * day] ?? 0
}

/**
 * Daylight on the ground outdoors, in lux: 300 + 21 000 sin(elevation) for an overcast sky (Krochmann and Seidl 1974,
 * CIE). The sun's declination by Cooper (1969).
 */
export function daylightAt(ms: number, latitude: number, longitude: number): number {
  const local = solarMs(ms, longitude)
  const day = Math.floor(local / dayMs)
  const dayOfYear = (((day % 365.25) + 365.25) % 365.25) + 1
  const declination = radians(23.45) * Math.sin((2 * Math.PI * (284 + dayOfYear)) / 365)
  const hourAngle = 2 * Math.PI * (local / dayMs - day - 0.5)
  const elevation =
    Math.sin(radians(latitude)) * Math.sin(declination) +
    Math.cos(radians(latitude)) * Math.cos(declination) * Math.cos(hourAngle)
  return elevation > 0 ? 300 * Math.min(1, elevation * 20) + 21_000 * elevation : 0
}

const equinox = Date.UTC(2026, 2, 20, 12)

/** The daylight of a noon at the equinox, for networks in which the hour plays no part. */
export const noonAt = (latitude: number): number => daylightAt(equinox, latitude, 0)

/** Mean solar time: four minutes for each degree. Where clocks differ from it, people go by the sun nearly as much. */
function solarMs(ms: number, longitude: number): number {
  return ms + (longitude / 360) * dayMs
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
