import { BlockList } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { databaseRefusal } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import { isSameSecret } from '../../secrets.ts'
import type { BrokerService } from './broker.service.ts'

const maxBodyBytes = 65_536

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

type Answer = 'allow' | 'deny' | 'refused' | 'unavailable'
type CountRequest = (labels: { kind: string; answer: Answer }) => void

interface Deps {
  broker: BrokerService
  /** Required as a part of the path if it is set; otherwise only this machine may send requests. */
  secret: string | undefined
  /** Counts an answer to the broker, by the kind of the request. */
  countRequest: CountRequest
  log: Logger
}

/**
 * The requests of `rabbitmq_auth_backend_http`. The answer is always 200 with `allow` or `deny`; the broker takes any
 * other response as a denial, and does not cache it.
 */
export function brokerRoutes(deps: Deps): (app: FastifyInstance) => void {
  return (app) => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: maxBodyBytes },
        async (_request: unknown, text: string) => new URLSearchParams(text),
      )
      for (const [kind, check] of Object.entries(checksOf(deps.broker)))
        for (const path of [`/broker/${kind}`, `/broker/:secret/${kind}`])
          serveCheck(scope, { ...deps, kind, path, check })
    })
  }
}

type Check = (form: URLSearchParams) => boolean | Promise<boolean>

export const brokerRequestKinds = ['user', 'vhost', 'resource', 'topic'] as const

function checksOf(broker: BrokerService): Record<(typeof brokerRequestKinds)[number], Check> {
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

function serveCheck(
  scope: FastifyInstance,
  { kind, path, check, secret, countRequest, log }: Deps & { kind: string; path: string; check: Check },
): void {
  scope.post<{ Params: { secret?: string }; Body: URLSearchParams | undefined }>(path, {
    // Before the body is read.
    onRequest: async (request, reply) => {
      if (isAllowed(request.socket.remoteAddress, request.params.secret, secret)) return
      countRequest({ kind, answer: 'refused' })
      return reply
        .code(403)
        .send('Send the request from this machine, or with the secret in the path (MANC_BROKER_SECRET).')
    },
    handler: async (request, reply) => {
      const form = request.body ?? new URLSearchParams()
      try {
        const answer = (await check(form)) ? 'allow' : 'deny'
        countRequest({ kind, answer })
        if (answer === 'deny')
          log.info({ kind, agent: form.get('username') }, 'an agent was denied at the broker')
        return await reply.type('text/plain').send(answer)
      } catch (error) {
        const refused = error instanceof Refused ? error : databaseRefusal(error)
        countRequest({ kind, answer: 'unavailable' })
        log.warn({ kind, err: refused?.cause ?? error }, 'a request of the broker could not be answered')
        return reply.code(503).type('text/plain').send('unavailable')
      }
    },
  })
}

function isAllowed(
  address: string | undefined,
  given: string | undefined,
  secret: string | undefined,
): boolean {
  if (secret !== undefined) return given !== undefined && isSameSecret(given, secret)
  return address !== undefined && loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
