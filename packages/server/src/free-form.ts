import { invalid } from './errors.ts'

const largestBytes = 65_536

/** The JSON text under which a free-form object of a request is kept; 422 where it is larger than 64 KiB. */
export function jsonText(value: Record<string, unknown>, field: string): string {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > largestBytes)
    throw invalid([
      {
        loc: ['body', field],
        msg: `Value should have at most ${largestBytes} bytes as JSON`,
        type: 'too_long',
      },
    ])
  return text
}
