const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/**
 * A field of a CSV file [RFC 4180]. A text that a spreadsheet would run as a formula begins with an apostrophe: names and
 * results come from agents and apps.
 */
export function csvField(value: string | number | null): string {
  if (value === null) return ''
  const text = String(value)
  const safe = /^[=+@\t\r-]/.test(text) && !isNumber.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
