/** The name of an IANA time zone. PostgreSQL alone would also accept abbreviations and rules such as `ABC+5`. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
