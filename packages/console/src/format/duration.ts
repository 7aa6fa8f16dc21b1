export const durationUnits = [
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const
export type DurationUnit = (typeof durationUnits)[number][0]

/** The largest unit in which it is an integer. */
export const unitOfDuration = (seconds: number): DurationUnit =>
  durationUnits.find(([, length]) => seconds > 0 && seconds % length === 0)?.[0] ?? 's'

export const secondsOf = (unit: DurationUnit): number =>
  durationUnits.find(([name]) => name === unit)?.[1] ?? 1
