/** The one number format of the console: `1,234.5`. */
const formats = new Map<number, Intl.NumberFormat>()
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `1,234`; with up to one digit after the point `1,234.5`. */
export function formatNumber(value: number, maxDigits = 0): string {
  const format = formats.get(maxDigits) ?? new Intl.NumberFormat('en', { maximumFractionDigits: maxDigits })
  formats.set(maxDigits, format)
  return format.format(value)
}

/** `1 client`, `1,200 clients` */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`

/** `63K` */
export const formatCompact = (value: number): string => compact.format(value)

/** A measured value, with two digits below 100 and one above. */
export const formatValue = (value: number): string => formatNumber(value, Math.abs(value) >= 100 ? 1 : 2)

/** `5 %`; a dash where there is no value. */
export const formatWithUnit = (value: number | undefined, unit: string): string =>
  value === undefined ? '–' : `${formatValue(value)}${unit && ` ${unit}`}`
