import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { unavailable } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { brokerRoutes } from './broker.routes.ts'
import { BrokerService } from './broker.service.ts'

const key = 'a-shared-secret-of-at-least-32-characters'
const request = 'username=ap-1&vhost=%2F'

function send(options: { path: string; from?: string; secret?: string; body?: string; type?: string }) {
  const broker = new BrokerService({
    verifyAgent: async () => {
      throw unavailable('The database')
    },
    isSuspended: async () => false,
    vhost: '/',
    ownName: 'manc',
  })
  const app = Fastify()
  brokerRoutes({ broker, secret: options.secret, countRequest: () => {}, log: createLog('silent') })(app)
  return app.inject({
    method: 'POST',
    url: options.path,
    remoteAddress: options.from ?? '127.0.0.1',
    headers: { 'content-type': options.type ?? 'application/x-www-form-urlencoded' },
    payload: options.body ?? request,
  })
}

describe('a request of the broker', () => {
  it('is answered with allow or deny, and a denial is no error', async () => {
    const allowed = await send({ path: '/broker/vhost' })
    expect([allowed.statusCode, allowed.body]).toEqual([200, 'allow'])
    const denied = await send({ path: '/broker/vhost', body: 'username=ap-1&vhost=other' })
    expect([denied.statusCode, denied.body]).toEqual([200, 'deny'])
    const empty = await send({ path: '/broker/topic', body: '' })
    expect([empty.statusCode, empty.body]).toEqual([200, 'deny'])
  })

  it('that cannot be answered is 503, so that the broker caches no answer', async () => {
    const body = 'username=ap-1&client_id=ap-1&password=p'
    expect((await send({ path: '/broker/user', body })).statusCode).toBe(503)
  })

  it('is not read beyond 64 KiB, nor in another form', async () => {
    expect((await send({ path: '/broker/vhost', body: `x=${'x'.repeat(65_536)}` })).statusCode).toBe(413)
    for (const type of ['application/json', 'application/xml'])
      expect((await send({ path: '/broker/vhost', type })).statusCode).toBe(415)
  })

  it('comes from this machine where there is no secret', async () => {
    for (const from of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect([from, (await send({ path: '/broker/vhost', from })).statusCode]).toEqual([from, 200])
    for (const from of ['192.0.2.1', '10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1', '0.0.0.0'])
      for (const path of ['/broker/vhost', `/broker/${key}/vhost`])
        expect([from, (await send({ path, from })).statusCode]).toEqual([from, 403])
  })

  it('comes with the secret where there is one, from any machine and also from this one', async () => {
    for (const from of ['127.0.0.1', '192.0.2.1']) {
      expect((await send({ path: `/broker/${key}/vhost`, from, secret: key })).body).toBe('allow')
      for (const path of [
        '/broker/vhost',
        `/broker/${key}x/vhost`,
        '/broker/undefined/vhost',
        '/broker//vhost',
      ])
        expect([path, (await send({ path, from, secret: key })).statusCode]).toEqual([path, 403])
    }
  })
})
