import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { type Config, listOf } from '../config.ts'
import { Tracing } from '../tracing.ts'
import { version } from './version.ts'

export function createTracing(config: Config, log: Logger): Tracing {
  return new Tracing({
    url: config.MANC_TRACES_URL,
    headers: Object.fromEntries(listOf(config.MANC_TRACES_HEADERS ?? '').map(splitHeader)),
    ratio: config.MANC_TRACES_RATIO,
    attributes: {
      'service.name': 'manc-server',
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
      'manc.roles': config.MANC_ROLES,
    },
    log,
  })
}

function splitHeader(header: string): [name: string, value: string] {
  const end = header.indexOf('=')
  return [header.slice(0, end), header.slice(end + 1)]
}
