import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { DataKeyUse } from './data-keys.ts'
import type { Mail } from './engines/mail.ts'
import type { Postgres } from './engines/postgres.ts'
import type { RabbitMq, RabbitMqManagement } from './engines/rabbitmq/index.ts'
import type { Victoria } from './engines/victoria.ts'
import type { EngineCheck } from './http/health.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import type { ReplicaLoad } from './replica-load.ts'
import type { Secrets } from './secrets.ts'
import type { Role } from './settings.ts'
import type { Tracing } from './tracing.ts'

/** What every module can be built from. */
export interface Platform {
  config: Config
  /** Of the server. */
  version: string
  log: Logger
  postgres: Postgres
  rabbitMq: RabbitMq
  /** Undefined without MANC_RABBITMQ_MANAGEMENT_URL. */
  management: RabbitMqManagement | undefined
  victoria: Victoria
  mail: Mail
  checks: readonly EngineCheck[]
  secrets: Secrets
  metrics: Metrics
  limits: Limits
  /** Of this process. */
  load: ReplicaLoad
  tracing: Tracing
}

/** Work beside requests. */
export interface Background {
  start(): void | Promise<void>
  stop?(): Promise<void>
}

/** What compose/ runs of a module. The services that other modules use are further members of what a factory returns. */
export interface Module {
  /** Registers the module's operations on the public listener. */
  routes?: (api: FastifyInstance) => void
  /** The same for the internal listener of the api role. */
  internalRoutes?: (internal: FastifyInstance) => void
  /** By the process role that runs it; `all` runs in every process. */
  background?: Partial<Record<Role | 'all', readonly Background[]>>
  /** Deletes expired rows. The subscriber role calls it every minute. */
  sweep?: () => Promise<void>
  /** Its stored data that depends on the data key. */
  dataKeyUses?: readonly DataKeyUse[]
}
