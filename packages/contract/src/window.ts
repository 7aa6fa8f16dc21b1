import Type, { type TUnsafe } from 'typebox'

/** Reading a value that a schema alone cannot describe; servers look for it under this key. JSON leaves symbols out. */
const parse = Symbol.for('manc.parse')

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const longestS = 31 * secondsIn.d

/** How far back a reading goes, in seconds. */
export const Window: TUnsafe<number> = Object.defineProperties(
  { [parse]: parseWindow },
  Object.getOwnPropertyDescriptors(
    Type.Union([Type.Integer(), Type.String()], {
      default: 5,
      description: 'Minutes, or a number with a unit: `30s`, `5m`, `1h`, `2d`, `1w`. From 1 s to 31 d.',
    }),
  ),
) as unknown as TUnsafe<number>

function parseWindow(value: unknown): { value: number } | { type: string; msg: string } {
  const [, digits, unit = 'm'] = /^\s*\+?(\d{1,9})([smhdw]?)\s*$/.exec(String(value)) ?? []
  const seconds = Number(digits) * secondsIn[(unit || 'm') as keyof typeof secondsIn]
  if (seconds >= 1 && seconds <= longestS) return { value: seconds }
  return {
    type: 'value_error',
    msg: 'Value error, window should be whole minutes or a number with s, m, h, d or w, from 1s to 31d',
  }
}
