import { quoted } from './text.ts'

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u
const UNSAFE = /[^\p{L}\p{N}\p{P}\p{S}\p{M}]/gu
const UNSAFE_IN_QUOTES = /[^\p{L}\p{N}\p{P}\p{S}\p{M}\p{Zs}]/gu
/** A combining character would change the character before it: the @-sign, or the text in front of the address. */
const LEADING_MARK = /^\p{M}/u

/** The Unicode names of invisible characters that are often pasted; others are shown by code point. */
const NAMES = new Map([
  [0x20, 'SPACE'],
  [0xa0, 'NO-BREAK SPACE'],
  [0xad, 'SOFT HYPHEN'],
  [0x061c, 'ARABIC LETTER MARK'],
  [0x1680, 'OGHAM SPACE MARK'],
  [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
  [0x2000, 'EN QUAD'],
  [0x2001, 'EM QUAD'],
  [0x2002, 'EN SPACE'],
  [0x2003, 'EM SPACE'],
  [0x2004, 'THREE-PER-EM SPACE'],
  [0x2005, 'FOUR-PER-EM SPACE'],
  [0x2006, 'SIX-PER-EM SPACE'],
  [0x2007, 'FIGURE SPACE'],
  [0x2008, 'PUNCTUATION SPACE'],
  [0x2009, 'THIN SPACE'],
  [0x200a, 'HAIR SPACE'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x202f, 'NARROW NO-BREAK SPACE'],
  [0x205f, 'MEDIUM MATHEMATICAL SPACE'],
  [0x2060, 'WORD JOINER'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x3000, 'IDEOGRAPHIC SPACE'],
  [0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
])

function display(character: string): string {
  if (character === '\\') return '"\\"'
  if (VISIBLE.test(character)) return quoted(character)
  const code = character.codePointAt(0) ?? 0
  return NAMES.get(code) ?? `U+${code.toString(16).padStart(code < 0xffff ? 4 : 8, '0')}`.toUpperCase()
}

/** The characters of a text that a test refuses, as a message lists them. */
export function listWhere(text: string, isBad: (character: string) => boolean): string | undefined {
  const shown = new Set<string>()
  for (const character of text) if (isBad(character)) shown.add(display(character))
  return shown.size === 0 ? undefined : [...shown].sort().join(', ')
}

/** Control, format, private and unassigned characters, and spaces: unsafe to display. */
export function unsafeFault(text: string, allowSpaces: boolean): string | undefined {
  const found = new Set(text.match(allowSpaces ? UNSAFE_IN_QUOTES : UNSAFE))
  const mark = LEADING_MARK.exec(text)
  if (mark !== null) found.add(mark[0])
  if (found.size === 0) return undefined
  const sorted = [...found].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0))
  return `The email address contains unsafe characters: ${sorted.map(display).join(', ')}.`
}

/** Periods (and hyphens, in a domain) in places where they are not allowed. */
export function dotFault(text: string, start: string, end: string, isDomain: boolean): string | undefined {
  if (text.endsWith('.')) return end.replace('{}', 'period')
  if (text.startsWith('.')) return start.replace('{}', 'period')
  if (text.includes('..')) return 'An email address cannot have two periods in a row.'
  if (!isDomain) return undefined
  if (text.endsWith('-')) return end.replace('{}', 'hyphen')
  if (text.startsWith('-')) return start.replace('{}', 'hyphen')
  if (text.includes('.-') || text.includes('-.')) {
    return 'An email address cannot have a period and a hyphen next to each other.'
  }
  return undefined
}

export function excess(length: number, limit: number): string {
  const count = length - limit
  return `(${count} character${count > 1 ? 's' : ''} too many)`
}
