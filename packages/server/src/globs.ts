/** Whether `text` fits a pattern in which `*` stands for any characters. Linear: no regular expression is built. */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return text === pattern
  const last = parts.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let position = first.length
  const end = text.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, position)
    if (found < 0 || found + part.length > end) return false
    position = found + part.length
  }
  return true
}

/** Whether a text fits one of these patterns. Those without `*` are looked up, however many they are. */
export function fitsOneOf(patterns: readonly string[]): (text: string) => boolean {
  const [globs, plain] = [true, false].map((is) => patterns.filter((each) => each.includes('*') === is))
  const known = new Set(plain)
  return (text) => known.has(text) || (globs ?? []).some((glob) => matchesGlob(glob, text))
}

/** The same pattern for SQL's LIKE. */
export const likeOfGlob = (pattern: string): string => escapeLike(pattern).replaceAll('*', '%')

/** A text that LIKE takes for itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
