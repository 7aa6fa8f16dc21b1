import type { ValidationItem } from './item.ts'
import { jsonFaultOffset } from './json-offset.ts'

export const MAX_DEPTH = 64

/**
 * Parses a JSON text, or reports the offset of the error as CPython does. The depth is limited before parsing, so that
 * later code may recurse through the value.
 */
export function parseJson(text: string): { value: unknown } | { detail: [ValidationItem] } {
  // Python removes a byte order mark before it counts.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  if (isTooDeep(json)) {
    const msg = `JSON nested deeper than ${MAX_DEPTH} levels`
    return { detail: [{ loc: ['body'], msg, type: 'json_too_deep' }] }
  }
  try {
    const value: unknown = JSON.parse(json)
    if (mayOverflow.test(json) && hasInfinity(value))
      return { detail: [{ loc: ['body'], msg: 'Input should be a finite number', type: 'finite_number' }] }
    return { value }
  } catch {
    const loc = ['body', jsonFaultOffset(json)]
    return { detail: [{ loc, msg: 'JSON decode error', type: 'json_invalid' }] }
  }
}

/**
 * Numbers that may exceed the range of a double: they would be serialised as null. 210 digits do with an exponent of two
 * digits, fewer only with a longer one.
 */
const mayOverflow = /\d[eE]\+?\d{3}|(?<!\d)\d{210}/

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}

function isTooDeep(text: string): boolean {
  return hasManyOpenings(text) && exceedsDepth(text)
}

/** Most bodies have few brackets, and counting them is much faster than scanning the text for strings. */
function hasManyOpenings(text: string): boolean {
  let count = 0
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_DEPTH) return true
    }
  }
  return false
}

function exceedsDepth(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = closingQuote(text, at)
    // `[` and `{`, then `]` and `}`, differ in the same bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > MAX_DEPTH) return true
    } else if ((code | 0x20) === 0x7d) depth--
  }
  return false
}

function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close < 0 ? text.length : close
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === 0x5c) before--
  return (at - before) % 2 === 1
}
