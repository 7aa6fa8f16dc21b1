import Type from 'typebox'
import { Parsed } from './schema.ts'

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const longestS = 31 * secondsIn.d

/** Length of the time window up to now, in seconds. */
export const Window = Parsed<number>(
  Type.Union([Type.Integer(), Type.String()], {
    default: 5,
    description: 'Minutes, or a number with a unit: `30s`, `5m`, `1h`, `2d`, `1w`. From 1 s to 31 d.',
  }),
  parseWindow,
)

function parseWindow(value: unknown): { value: number } | { type: string; msg: string } {
  const [, digits, unit = 'm'] = /^\s*\+?(\d{1,9})([smhdw]?)\s*$/.exec(String(value)) ?? []
  const seconds = Number(digits) * secondsIn[(unit || 'm') as keyof typeof secondsIn]
  if (seconds >= 1 && seconds <= longestS) return { value: seconds }
  return {
    type: 'value_error',
    msg: 'Value error, window should be whole minutes or a number with s, m, h, d or w, from 1s to 31d',
  }
}
