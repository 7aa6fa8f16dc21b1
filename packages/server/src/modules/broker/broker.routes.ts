import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { databaseRefusal } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { BrokerService } from './broker.service.ts'

const largestBody = 65_536

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

interface Parts {
  broker: BrokerService
  /** Part of the path where it is set; without it only this machine may ask. */
  secret: string | undefined
  metrics: Metrics
  log: Logger
}

/**
 * The questions of `rabbitmq_auth_backend_http`. A verdict is always 200 with `allow` or `deny`; whatever else comes
 * back makes the broker refuse, and remember nothing.
 */
export function brokerRoutes(parts: Parts): (app: FastifyInstance) => void {
  return (app) => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: largestBody },
        async (_request: unknown, text: string) => new URLSearchParams(text),
      )
      for (const [kind, judge] of Object.entries(judges(parts.broker)))
        for (const path of [`/broker/${kind}`, `/broker/:secret/${kind}`])
          serveQuestion(scope, { ...parts, kind, path, judge })
    })
  }
}

type Judge = (form: URLSearchParams) => boolean | Promise<boolean>

function judges(broker: BrokerService): Record<string, Judge> {
  const accessOf = (form: URLSearchParams) => ({
    username: form.get('username') ?? '',
    vhost: form.get('vhost') ?? '',
    resource: form.get('resource') ?? '',
    name: form.get('name') ?? '',
    permission: form.get('permission') ?? '',
    routingKey: form.get('routing_key') ?? '',
  })
  return {
    user: (form) =>
      broker.mayLogIn({
        username: form.get('username') ?? '',
        clientId: form.get('client_id') ?? '',
        password: form.get('password') ?? '',
      }),
    vhost: (form) => broker.mayEnter(accessOf(form)),
    resource: (form) => broker.mayUse(accessOf(form)),
    topic: (form) => broker.mayPass(accessOf(form)),
  }
}

function serveQuestion(
  scope: FastifyInstance,
  { kind, path, judge, secret, metrics, log }: Parts & { kind: string; path: string; judge: Judge },
): void {
  scope.post<{ Params: { secret?: string }; Body: URLSearchParams | undefined }>(path, {
    // Before the body is read.
    onRequest: async (request, reply) => {
      if (mayAsk(request.socket.remoteAddress, request.params.secret, secret)) return
      metrics.countBrokerQuestion(kind, 'refused')
      return reply
        .code(403)
        .send('Ask from this machine, or with the secret in the path (MANC_BROKER_SECRET).')
    },
    handler: async (request, reply) => {
      const form = request.body ?? new URLSearchParams()
      try {
        const answer = (await judge(form)) ? 'allow' : 'deny'
        metrics.countBrokerQuestion(kind, answer)
        if (answer === 'deny') log.info({ kind, agent: form.get('username') }, 'denied to the broker')
        return await reply.type('text/plain').send(answer)
      } catch (error) {
        const refused = error instanceof Refused ? error : databaseRefusal(error)
        metrics.countBrokerQuestion(kind, 'unavailable')
        log.warn({ kind, err: refused?.cause ?? error }, 'a question of the broker could not be answered')
        return reply.code(503).type('text/plain').send('unavailable')
      }
    },
  })
}

function mayAsk(address: string | undefined, given: string | undefined, secret: string | undefined): boolean {
  if (secret !== undefined) return given !== undefined && sameSecret(given, secret)
  return address !== undefined && loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}

/** Hashed first: equal lengths, and no time that tells how much of it was right. */
function sameSecret(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(x, y)
}
