import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { Metrics } from '../metrics.ts'
import { version } from './version.ts'

/** The metrics of the process as a whole. Engines and modules add theirs. */
export function createMetrics({ MANC_ROLES: roles }: Config, log: Logger): Metrics {
  const metrics = new Metrics(log)
  metrics.gauge({
    name: 'manc_build_info',
    help: 'Always 1: version of the server, version of Node, and the roles of the process',
    labels: ['version', 'node', 'roles'],
    read: () => [{ labels: { version, node: process.versions.node, roles }, value: 1 }],
  })
  return metrics
}
