import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { compose } from '../../server/src/compose/index.ts'
import { readConfig } from '../../server/src/config.ts'
import { createLog } from '../../server/src/log.ts'

/** A server in this process. */
export interface Replica {
  url: string
  internalUrl: string
  /** The log so far, one JSON object per line. */
  logged(): string
  stop(): Promise<void>
}

/**
 * In production a query may take 1.5 s. A disk or a machine that tests share may stop for longer, and a request that fails
 * then shows nothing. Suites about outages start processes, which have the limit of production.
 */
const databaseTimeoutMs = 5000

/** Several servers with the same variables are replicas of each other. */
export async function startReplica(variables: Record<string, string>): Promise<Replica> {
  const lines: string[] = []
  const server = compose(readConfig(variables), testLog(lines), { databaseTimeoutMs })
  await server.start()
  return {
    url: server.url ?? '',
    internalUrl: server.internalUrl,
    logged: () => lines.join(''),
    stop: () => server.stop({ drain: true }),
  }
}

/** The server's log at level trace, collected instead of printed. */
function testLog(lines: string[]): Logger {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return createLog('trace', sink)
}
