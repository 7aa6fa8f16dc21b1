/** Lengths of live charts in seconds. */
export const windows = [
  [60, '1 min', 'the last minute'],
  [300, '5 min', 'the last 5 minutes'],
  [900, '15 min', 'the last 15 minutes'],
  [3600, '1 h', 'the last hour'],
  [21_600, '6 h', 'the last 6 hours'],
  [86_400, '1 d', 'the last day'],
] as const

export const defaultWindowS = 300

export const windowText = (windowS: number): string =>
  windows.find(([seconds]) => seconds === windowS)?.[2] ?? `the last ${windowS} s`
