import { type DestinationStream, type Logger, pino } from 'pino'
import { traceFields } from './tracing.ts'

const secrets = [
  'password',
  'new_password',
  'current_password',
  'client_secret',
  'api_key',
  'token',
  'access_token',
  'authorization',
  'cookie',
]

/** JSON lines on standard output, with the id of their trace. Secrets are redacted by their names, two levels deep. */
export function createLog(level: string, to: DestinationStream = pino.destination(1)): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino(
    {
      level,
      base: null,
      mixin: traceFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[hidden]' },
      serializers: { err: plainError },
    },
    to,
  )
}

/** Libraries attach connections, including credentials, to their errors: only these fields are logged. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code } = error as Error & { code?: unknown }
  return { type: name, message, stack, ...(code !== undefined && { code }) }
}
