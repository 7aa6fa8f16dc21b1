const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Divides every `for` and every range (`[5m]`) of a rule file. Expressions and thresholds stay as they are. */
export function shortenRules(rules: string, divisor: number): string {
  const shorten = (count: string, unit: string) =>
    `${Math.round((Number(count) * (secondsOf[unit] ?? Number.NaN) * 1000) / divisor)}ms`
  return rules
    .replace(/^( +for: )(\d+)([smhd])$/gm, (_, key, count, unit) => key + shorten(count, unit))
    .replace(/\[(\d+)([smhd])\]/g, (_, count, unit) => `[${shorten(count, unit)}]`)
}
