// The reader of a piped log may exit (EPIPE); the agent goes on.
process.stdout.on('error', () => {})

/** One line per event: time, level, message, then fields as name=value. */
export function log(
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${quoted(value)}`)
  process.stdout.write(`${new Date().toISOString()} ${level} ${JSON.stringify(message)}${pairs.join('')}\n`)
}

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(text)
}
