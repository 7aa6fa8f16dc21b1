const parts = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** A length of time in its two largest units: `1 h 30 min`. */
export function lengthOf(seconds: number): string {
  let left = Math.max(0, Math.round(seconds))
  const words: string[] = []
  for (const [unit, name] of parts) {
    const n = Math.floor(left / unit)
    left -= n * unit
    if (n > 0 && words.length < 2) words.push(`${n} ${name}`)
    else if (words.length > 0) break
  }
  return words.join(' ') || '0 s'
}
