import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { Mail } from '../engines/mail.ts'
import { Postgres } from '../engines/postgres.ts'
import { RabbitMq } from '../engines/rabbitmq/index.ts'
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
  const victoria = new Victoria({ url: config.MANC_VICTORIA_URL })
  const mail = new Mail({ url: config.MANC_SMTP_URL, from: config.MANC_MAIL_FROM })
  // Without the broker or the metrics store most of the interface still works: they are shown, not required.
  const checks: EngineCheck[] = [
    { name: 'postgres', required: true, ping: () => postgres.ping() },
    { name: 'rabbitmq', required: false, ping: () => rabbitMq.ping() },
    { name: 'victoriametrics', required: false, ping: () => victoria.ping() },
  ]
  const stopEngines = async () => {
    await Promise.allSettled([rabbitMq.stop(), postgres.stop()])
    victoria.stop()
    mail.stop()
  }
  return { postgres, rabbitMq, victoria, mail, checks, stopEngines }
}
