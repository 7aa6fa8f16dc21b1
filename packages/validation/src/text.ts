// White space of Rust and Python, which differs from JavaScript's trim() (U+FEFF, U+0085).
const SPACES = new Set(
  [
    9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
    0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
  ].map((code) => String.fromCharCode(code)),
)

export function isSpace(character: string): boolean {
  return SPACES.has(character)
}

export function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charAt(start))) start++
  while (end > start && isSpace(text.charAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

export function countCodePoints(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= 0xd800 && (text.codePointAt(index) ?? 0) > 0xffff) {
      count--
      index++
    }
  }
  return count
}

/** Compares without counting all code points of a long text. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || countCodePoints(text) > limit)
}

/** As Python's repr() of a text without control characters. */
export function quoted(text: string): string {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
