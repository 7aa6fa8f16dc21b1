import type { Logger } from 'pino'
import { type Config, listOf } from '../config.ts'
import { Mail } from '../engines/mail.ts'
import { Postgres } from '../engines/postgres.ts'
import { RabbitMq, RabbitMqManagement } from '../engines/rabbitmq/index.ts'
import { Victoria } from '../engines/victoria.ts'
import type { EngineCheck } from '../http/health.ts'
import type { Metrics } from '../metrics.ts'

export function createEngines(
  config: Config,
  log: Logger,
  metrics: Metrics,
  { databaseTimeoutMs }: { databaseTimeoutMs?: number },
) {
  const postgres = new Postgres({
    url: config.MANC_DATABASE_URL,
    connections: config.MANC_DATABASE_CONNECTIONS,
    log,
    metrics,
    ...(databaseTimeoutMs !== undefined && { timeoutMs: databaseTimeoutMs }),
  })
  const rabbitMq = new RabbitMq({ url: config.MANC_RABBITMQ_URL, log, metrics })
  const management = config.MANC_RABBITMQ_MANAGEMENT_URL
    ? new RabbitMqManagement({ url: config.MANC_RABBITMQ_MANAGEMENT_URL })
    : undefined
  const victoria = new Victoria({ urls: listOf(config.MANC_VICTORIA_URL), log })
  const mail = new Mail({ url: config.MANC_SMTP_URL, from: config.MANC_MAIL_FROM })
  // Without the broker or the metrics store most of the interface still works: they are shown, not required.
  const checks: EngineCheck[] = [
    { name: 'postgres', required: true, ping: () => postgres.ping() },
    { name: 'rabbitmq', required: false, ping: () => rabbitMq.ping() },
    ...victoria.stores.map((store, n) => ({
      // /readyz is public: it shows no host names.
      name: victoria.stores.length === 1 ? 'victoriametrics' : `victoriametrics-${n + 1}`,
      required: false,
      ping: () => store.ping(),
    })),
  ]
  const stopEngines = async () => {
    await Promise.allSettled([rabbitMq.stop(), postgres.stop(), victoria.stop()])
    mail.stop()
  }
  return { postgres, rabbitMq, management, victoria, mail, checks, stopEngines }
}
