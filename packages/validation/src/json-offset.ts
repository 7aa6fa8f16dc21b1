import { countCodePoints } from './text.ts'

const LITERALS = ['null', 'true', 'false'] as const
const ESCAPED = '"\\/bfnrt'
const FOUR_HEX = /^[0-9A-Fa-f]{4}$/

// Codes instead of characters: this runs on bodies of many megabytes.
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const FIRST_ALLOWED = 0x20

class Fault extends Error {
  readonly at: number
  constructor(at: number) {
    super()
    this.at = at
  }
}

/**
 * The offset, in code points, at which CPython's json.loads fails on a malformed text. Parsers differ in the offset, so
 * this follows `_json.c` of CPython 3.11 exactly. NaN and Infinity, which Python accepts, are errors here. The caller must
 * limit the nesting.
 */
export function jsonFaultOffset(text: string): number {
  return countCodePoints(text.slice(0, faultPosition(text)))
}

function faultPosition(text: string): number {
  try {
    return skipSpaces(text, scanValue(text, skipSpaces(text, 0)))
  } catch (error) {
    if (error instanceof Fault) return error.at
    throw error
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Like all functions below, returns the position after the value. */
function scanValue(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === MINUS || isDigit(code)) return scanNumber(text, at)
  if (code === QUOTE) return scanString(text, at)
  if (code === OPEN_OBJECT) return scanObject(text, at + 1)
  if (code === OPEN_LIST) return scanArray(text, at + 1)
  const literal = LITERALS.find((candidate) => text.startsWith(candidate, at))
  if (literal === undefined) throw new Fault(at)
  return at + literal.length
}

function scanObject(text: string, start: number): number {
  let at = skipSpaces(text, start)
  if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1
  while (true) {
    at = skipSpaces(text, scanString(text, expect(text, at, QUOTE) - 1))
    at = scanValue(text, skipSpaces(text, expect(text, at, COLON)))
    at = skipSpaces(text, at)
    if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1
    at = skipSpaces(text, expect(text, at, COMMA))
  }
}

function scanArray(text: string, start: number): number {
  let at = skipSpaces(text, start)
  if (text.charCodeAt(at) === CLOSE_LIST) return at + 1
  while (true) {
    at = skipSpaces(text, scanValue(text, at))
    if (text.charCodeAt(at) === CLOSE_LIST) return at + 1
    at = skipSpaces(text, expect(text, at, COMMA))
  }
}

function expect(text: string, at: number, code: number): number {
  if (text.charCodeAt(at) !== code) throw new Fault(at)
  return at + 1
}

function scanString(text: string, quote: number): number {
  let at = quote + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < FIRST_ALLOWED) throw new Fault(at)
    at = code === BACKSLASH ? scanEscape(text, at, quote) : at + 1
  }
  throw new Fault(quote)
}

function scanEscape(text: string, backslash: number, quote: number): number {
  const letter = text.charAt(backslash + 1)
  if (letter === '') throw new Fault(quote)
  if (letter !== 'u') {
    if (ESCAPED.includes(letter)) return backslash + 2
    throw new Fault(backslash)
  }
  const end = backslash + 6
  // CPython requires a character after the digits, and reports the `u` when there is none.
  if (end < text.length && FOUR_HEX.test(text.slice(backslash + 2, end))) return end
  throw new Fault(backslash + 1)
}

function scanNumber(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start
  const integerEnd = text.charCodeAt(at) === ZERO ? at + 1 : skipDigits(text, at)
  if (integerEnd === at) throw new Fault(start)
  at = integerEnd
  if (text[at] === '.') at = orElse(skipDigits(text, at + 1), at + 1, at)
  if (text[at] === 'e' || text[at] === 'E') {
    const digits = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1
    at = orElse(skipDigits(text, digits), digits, at)
  }
  return at
}

/** A point or an exponent without digits is not part of the number. */
function orElse(end: number, digits: number, before: number): number {
  return end > digits ? end : before
}

function skipDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}
