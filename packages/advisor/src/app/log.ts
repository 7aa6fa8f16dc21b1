/** Writes one line. */
export type Log = (line: string) => void
