// The reader of a piped log may exit (EPIPE); the agent goes on.
process.stdout.on('error', () => {})

export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Record<string, unknown>,
) => void

/** One line per event: time, level, message, then fields as name=value. */
export const log: Log = (level, message, fields = {}) => {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${quoted(value)}`)
  process.stdout.write(`${new Date().toISOString()} ${level} ${JSON.stringify(message)}${pairs.join('')}\n`)
}

/** Adds the same fields to each line. */
export const logWith =
  (more: Record<string, unknown>): Log =>
  (level, message, fields) =>
    log(level, message, { ...fields, ...more })

function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w.:/@-]+$/.test(text) ? text : JSON.stringify(text)
}
