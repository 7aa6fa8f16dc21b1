import { type Parsed, STRING_UNICODE } from './item.ts'

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SIMPLE = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i
const HEX = /^[0-9a-f]$/i
const CANONICAL_LENGTH = 36
const URN = 'urn:uuid:'
const GROUP_STARTS = [0, 9, 14, 19, 24] as const
const GROUP_LENGTHS = [8, 4, 4, 4, 12] as const

/** Accepts the same four forms as pydantic; returns the hyphenated form in lower case. */
export function parseUuid(value: unknown): Parsed<string> {
  if (typeof value !== 'string') {
    return { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' }
  }
  if (CANONICAL.test(value)) return { value: value.toLowerCase() }
  const text = unwrap(value)
  const whole = Buffer.byteLength(text) === CANONICAL_LENGTH ? text : value
  if (CANONICAL.test(text)) return { value: text.toLowerCase() }
  if (SIMPLE.test(value)) return { value: value.replace(SIMPLE, '$1-$2-$3-$4-$5').toLowerCase() }
  if (!value.isWellFormed()) return STRING_UNICODE
  return { type: 'uuid_parsing', msg: `Input should be a valid UUID, ${fault(text, whole)}` }
}

function unwrap(value: string): string {
  if (value.startsWith('{') && value.endsWith('}')) return value.slice(1, -1)
  return value.startsWith(URN) ? value.slice(URN.length) : value
}

/** Positions count in the whole input, except for a framed UUID of the right length. */
function fault(text: string, whole: string): string {
  const hyphens: number[] = []
  let index = 0
  for (const character of text) {
    if (character === '-') hyphens.push(index)
    else if (!HEX.test(character)) {
      return `invalid character: found \`${character}\` at ${index + whole.indexOf(text) + 1}`
    }
    index++
  }
  if (hyphens.length === 0 && text === whole) {
    return `invalid length: expected length 32 for simple format, found ${whole.length}`
  }
  if (hyphens.length !== 4) return `invalid group count: expected 5, found ${hyphens.length + 1}`
  const bounds = [...hyphens, whole.length]
  const wrong = bounds.findIndex((bound, at) => bound - (GROUP_STARTS[at] ?? 0) !== GROUP_LENGTHS[at])
  const group = wrong < 0 ? bounds.length - 1 : wrong
  const found = (bounds[group] ?? 0) - (GROUP_STARTS[group] ?? 0)
  return `invalid group length in group ${group}: expected ${GROUP_LENGTHS[group] ?? 0}, found ${found}`
}
