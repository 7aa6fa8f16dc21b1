/** Whether `text` matches a pattern in which `*` matches any characters. Linear time, without a regular expression. */
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

/** Whether a text matches one of the patterns. Patterns without `*` are looked up in a set. */
export function fitsOneOf(patterns: readonly string[]): (text: string) => boolean {
  const globs = patterns.filter((pattern) => pattern.includes('*'))
  const literals = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  return (text) => literals.has(text) || globs.some((glob) => matchesGlob(glob, text))
}

/** The same pattern in the syntax of SQL's LIKE. */
export const likeOfGlob = (pattern: string): string => escapeLike(pattern).replaceAll('*', '%')

/** Escapes a text so that LIKE matches it literally. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
