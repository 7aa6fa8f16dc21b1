import Type from 'typebox'
import { Parsed } from './schema.ts'

const units: readonly { seconds: number; names: readonly string[] }[] = [
  { seconds: 1, names: ['s', 'sec', 'secs', 'second', 'seconds'] },
  { seconds: 60, names: ['m', 'min', 'mins', 'minute', 'minutes'] },
  { seconds: 3600, names: ['h', 'hr', 'hrs', 'hour', 'hours'] },
  { seconds: 86_400, names: ['d', 'day', 'days'] },
  { seconds: 604_800, names: ['w', 'wk', 'wks', 'week', 'weeks'] },
]
const secondsIn = new Map(units.flatMap(({ seconds, names }) => names.map((name) => [name, seconds])))
const longestS = 31 * 86_400

/** Length of the time window up to now, in seconds. */
export const Window = Parsed<number>(
  Type.Union([Type.Integer(), Type.String()], {
    default: 5,
    description:
      'Minutes, or a number with a unit: `30s`, `5m`, `1.5h`, `2d`, `1w`, also `90 min` or `2 hours`. Case is ignored. From 1 s to 31 d.',
  }),
  parseWindow,
)

/** Trimmed before it is matched: a pattern with optional spaces at both ends would backtrack over long runs of them. */
export function parseWindow(value: unknown): { value: number } | { type: string; msg: string } {
  const text = String(value).trim().toLowerCase()
  const [, number, unit = 'm'] = /^\+?(\d{1,9}(?:\.\d{1,9})?)(?: ?([a-z]+))?$/.exec(text) ?? []
  const seconds = Number(number) * (secondsIn.get(unit) ?? Number.NaN)
  if (seconds >= 1 && seconds <= longestS) return { value: Math.round(seconds) }
  return {
    type: 'value_error',
    msg: 'Value error, window should be minutes, or a number with a unit such as 30s, 5m, 1.5h, 2d or 1w, from 1s to 31d',
  }
}
