const DIGIT = /[0-9]/
const LITERALS = ['null', 'true', 'false'] as const
const ESCAPED = '"\\/bfnrt'
const HEX = /^[0-9A-Fa-f]$/

class Fault extends Error {
  readonly at: number
  constructor(at: number) {
    super()
    this.at = at
  }
}

/**
 * Where CPython's json.loads gives up on a malformed text, in code points. Which character is to blame differs
 * between parsers, so this walks the text as `_json.c` of CPython 3.11 does, its oddities included. NaN and
 * Infinity, which Python takes, are faults here. The nesting has to be bounded by the caller.
 */
export function jsonFaultOffset(text: string): number {
  return codePointsBefore(text, faultPosition(text))
}

function faultPosition(text: string): number {
  try {
    return skipSpaces(text, scanValue(text, skipSpaces(text, 0)))
  } catch (error) {
    if (error instanceof Fault) return error.at
    throw error
  }
}

function codePointsBefore(text: string, position: number): number {
  let count = 0
  for (let index = 0; index < position; count++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return count
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return at
}

/** Gives the position after the value. */
function scanValue(text: string, at: number): number {
  const first = text.charAt(at)
  if (first === '"') return scanString(text, at)
  if (first === '{') return scanObject(text, at + 1)
  if (first === '[') return scanArray(text, at + 1)
  const literal = LITERALS.find((word) => text.startsWith(word, at))
  return literal === undefined ? scanNumber(text, at) : at + literal.length
}

function scanObject(text: string, start: number): number {
  let at = skipSpaces(text, start)
  if (text[at] === '}') return at + 1
  while (true) {
    at = skipSpaces(text, scanString(text, expect(text, at, '"') - 1))
    at = scanValue(text, skipSpaces(text, expect(text, at, ':')))
    at = skipSpaces(text, at)
    if (text[at] === '}') return at + 1
    at = skipSpaces(text, expect(text, at, ','))
  }
}

function scanArray(text: string, start: number): number {
  let at = skipSpaces(text, start)
  if (text[at] === ']') return at + 1
  while (true) {
    at = skipSpaces(text, scanValue(text, at))
    if (text[at] === ']') return at + 1
    at = skipSpaces(text, expect(text, at, ','))
  }
}

function expect(text: string, at: number, character: string): number {
  if (text[at] !== character) throw new Fault(at)
  return at + 1
}

function scanString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character <= '\x1f') throw new Fault(at)
    if (character !== '\\') continue
    if (text[at + 1] === 'u') at = scanUnicodeEscape(text, at)
    else if (at + 1 === text.length) break
    else if (ESCAPED.includes(text.charAt(at + 1))) at++
    else throw new Fault(at)
  }
  throw new Fault(quote)
}

/** Gives the position of the last digit. */
function scanUnicodeEscape(text: string, backslash: number): number {
  const end = backslash + 6
  // CPython wants a character after the digits too, and blames the `u` when there is none.
  if (end >= text.length) throw new Fault(backslash + 1)
  for (let at = backslash + 2; at < end; at++) {
    if (!HEX.test(text.charAt(at))) throw new Fault(backslash + 1)
  }
  return end - 1
}

function scanNumber(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start
  if (text[at] === '0') at++
  else if (DIGIT.test(text.charAt(at))) at = skipDigits(text, at)
  else throw new Fault(start)
  if (text[at] === '.' && DIGIT.test(text.charAt(at + 1))) at = skipDigits(text, at + 1)
  if (text[at] === 'e' || text[at] === 'E') {
    const sign = text[at + 1] === '+' || text[at + 1] === '-' ? 2 : 1
    const end = skipDigits(text, at + sign)
    if (end > at + sign) at = end
  }
  return at
}

function skipDigits(text: string, from: number): number {
  let at = from
  while (DIGIT.test(text.charAt(at))) at++
  return at
}
