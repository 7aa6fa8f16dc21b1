const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const

/** A length of time in its largest unit: `3 min`. */
export function inShort(ms: number): string {
  const [unit, name] = units.find(([each]) => ms >= each) ?? [1000, 's']
  return `${Math.max(0, Math.floor(ms / unit))} ${name}`
}
