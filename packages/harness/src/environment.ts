import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import pg from 'pg'
import type { Logger } from 'pino'
import type { EngineUrls } from '../../../tools/engines/index.ts'
import { compose } from '../../server/src/compose/index.ts'
import { readConfig } from '../../server/src/config.ts'
import { createLog } from '../../server/src/log.ts'

export type Environment = Record<string, string>

/** A place of its own inside the engines: a database and a virtual host, gone after `drop`. */
export interface Place {
  environment: Environment
  drop(): Promise<void>
}

export async function makePlace(engines: EngineUrls): Promise<Place> {
  const name = `t_${randomBytes(6).toString('hex')}`
  await sqlAt(engines.postgres, `create database ${name}`)
  await management(engines, 'PUT', `/api/vhosts/${name}`)
  await management(engines, 'PUT', `/api/permissions/${name}/manc`, {
    configure: '.*',
    write: '.*',
    read: '.*',
  })
  await management(engines, 'POST', `/api/definitions/${name}`, topology())
  return {
    environment: {
      MANC_ROLES: 'api,subscriber',
      MANC_HOST: '127.0.0.1',
      MANC_PORT: '0',
      MANC_INTERNAL_PORT: '0',
      MANC_DATABASE_URL: withPath(engines.postgres, name),
      MANC_DATABASE_CONNECTIONS: '10',
      MANC_RABBITMQ_URL: withPath(engines.rabbitmq, name),
      MANC_RABBITMQ_MANAGEMENT_URL: engines.rabbitmqManagement,
      MANC_VICTORIA_URL: engines.victoria,
      MANC_TOKEN_KEY: randomBytes(32).toString('hex'),
      MANC_DATA_KEY: randomBytes(32).toString('hex'),
      MANC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      MANC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
    },
    async drop() {
      await sqlAt(engines.postgres, `drop database if exists ${name} with (force)`)
      await management(engines, 'DELETE', `/api/vhosts/${name}`)
    },
  }
}

export const admin = { username: 'admin@manc.test', password: 'admin-password' }

export interface Replica {
  url: string
  internalUrl: string
  /** Everything that it has logged so far, as text. */
  logged(): string
  stop(): Promise<void>
}

/** A server in this process; several with the same environment are replicas of each other. */
export async function startReplica(environment: Environment): Promise<Replica> {
  const lines: string[] = []
  const server = compose(readConfig(environment), testLog(lines))
  await server.start()
  return {
    url: server.url ?? '',
    internalUrl: server.internalUrl,
    logged: () => lines.join(''),
    stop: () => server.stop(),
  }
}

/** The real log at its most talkative, kept instead of printed. */
function testLog(lines: string[]): Logger {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return createLog('trace', sink)
}

export async function sqlAt(url: string, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  // A connection that breaks fails the query that waits for it; told to nobody, it would end the whole run.
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** The broker's own interface. */
export async function management(
  engines: EngineUrls,
  method: string,
  route: string,
  body?: unknown,
): Promise<unknown> {
  const { origin, username, password } = new URL(engines.rabbitmqManagement)
  const answer = await fetch(origin + route, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** The exchanges and queues that a broker boots with, for a virtual host of another name. */
function topology(): unknown {
  const file = path.join(import.meta.dirname, '../../../deploy/rabbitmq/definitions.json')
  const { exchanges, queues, bindings } = JSON.parse(readFileSync(file, 'utf8'))
  const anywhere = (all: { vhost?: string }[]) => all.map(({ vhost: _vhost, ...rest }) => rest)
  return { exchanges: anywhere(exchanges), queues: anywhere(queues), bindings: anywhere(bindings) }
}

function withPath(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
