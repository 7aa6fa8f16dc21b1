import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

/** On a terminal only; NO_COLOR is respected. */
const on = (stream: NodeJS.WriteStream) => (format: Format, text: string) =>
  styleText(format, text, { stream })

export const paint = on(process.stdout)
export const paintError = on(process.stderr)

const formats: Record<string, Format> = {
  online: 'green',
  stale: 'yellow',
  offline: 'red',
  good: 'green',
  degraded: 'yellow',
  bad: 'red',
  succeeded: 'green',
  failed: 'red',
  timed_out: 'red',
  expired: 'red',
  superseded: 'yellow',
  skipped: 'yellow',
  warning: 'yellow',
  critical: 'red',
}

/** A state or a severity in its colour. The colour adds no information to the text. */
export function paintState(state: string, text = state): string {
  const format = formats[state]
  return format === undefined ? text : paint(format, text)
}
