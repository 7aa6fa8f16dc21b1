import { type DestinationStream, type Logger, pino } from 'pino'

const secrets = ['password', 'new_password', 'api_key', 'token', 'access_token', 'authorization', 'cookie']

/** JSON lines on standard output. Whatever an object calls a secret is blotted out, two levels deep. */
export function createLog(level: string, to: DestinationStream = pino.destination(1)): Logger {
  const paths = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: '[hidden]' } },
    to,
  )
}
