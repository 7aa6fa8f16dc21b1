import { BlockList } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { databaseRefusal } from '../../engines/postgres.ts'
import { isSameSecret } from '../../secrets.ts'
import type { AlarmService } from './alarms.service.ts'
import { firingAlerts } from './alerts.format.ts'
import type { ContactService } from './contacts.service.ts'
import type { RuleService } from './rules.service.ts'

/** Of about 80,000 alerts. vmalert sends those of one expression together, which up to five rules share. */
const maxBodyBytes = 32 * 1024 * 1024

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

interface Deps {
  alarms: AlarmService
  rules: RuleService
  contacts: ContactService
  /** Required as the password if it is set; otherwise only this machine may send requests. */
  secret: string | undefined
  countAlerts: (labels: { result: 'received' | 'failed' }, by?: number) => void
  log: Logger
}

/** The requests of vmalert, which takes the controller for an Alertmanager. It sends again what was not accepted. */
export function alertRoutes({
  alarms,
  rules,
  contacts,
  secret,
  countAlerts,
  log,
}: Deps): (app: FastifyInstance) => void {
  return (app) => {
    app.register(async (scope) => {
      // Before the body is read.
      scope.addHook('onRequest', async (request, reply) => {
        if (isAllowed(request, secret, request.method === 'GET')) return
        return reply
          .code(secret === undefined ? 403 : 401)
          .send('Send the request from this machine, or with the password MANC_ALARM_SECRET.')
      })

      scope.get('/alarms/rules.yml', async (_request, reply) => {
        const file = await rules.file()
        await contacts.record('rules')
        return reply.type('application/yaml; charset=utf-8').send(file)
      })

      const errorHandler = (error: FastifyError) => {
        if (error.statusCode === 413) {
          // How many alerts it has is not known.
          countAlerts({ result: 'failed' })
          log.warn({ maxBodyBytes }, 'alerts were refused: a rule fires for too many agents')
        }
        throw error
      }
      scope.post('/api/v2/alerts', { bodyLimit: maxBodyBytes, errorHandler }, async (request, reply) => {
        const alerts = firingAlerts(request.body, Date.now())
        if (!alerts) return reply.code(400).send('Send a list of alerts.')
        try {
          await alarms.receive(alerts)
          await contacts.record('alerts')
        } catch (error) {
          countAlerts({ result: 'failed' }, alerts.length)
          if (!databaseRefusal(error)) throw error
          log.warn({ err: error }, 'alerts could not be stored; vmalert sends them again')
          return reply.code(503).send('unavailable')
        }
        countAlerts({ result: 'received' }, alerts.length)
        return reply.send()
      })
    })
  }
}

/**
 * Rules are read without the password: vmalert has no other place for it than the URL, which it shows in its log and its
 * metrics. Every user can read the rules.
 */
function isAllowed(
  { socket, headers }: FastifyRequest,
  secret: string | undefined,
  isRead: boolean,
): boolean {
  const { remoteAddress: address } = socket
  if (secret === undefined)
    return address !== undefined && loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  if (isRead) return true
  const [, given = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? []
  return isSameSecret(password, secret)
}
