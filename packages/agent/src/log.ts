// Whoever read the log may go away; measuring and sending go on.
process.stdout.on('error', () => {})

/** One line for each event: time, level, words, then what belongs to it as name=value. */
export function log(
  level: 'info' | 'warn' | 'error',
  words: string,
  more: Record<string, unknown> = {},
): void {
  const fields = Object.entries(more).map(([name, value]) => ` ${name}=${quoted(value)}`)
  process.stdout.write(`${new Date().toISOString()} ${level} ${JSON.stringify(words)}${fields.join('')}\n`)
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(text)
}
