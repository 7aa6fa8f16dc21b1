import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Caller } from '../access.ts'
import { Limits } from '../limits.ts'
import { createLog } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { answerErrors } from './errors.ts'
import { inShare, shareRequests } from './request-shares.ts'

const [idle, busy] = [{ spare: () => 1 }, { spare: () => 0 }]
const maxRequests = { MANC_CONCURRENT_REQUESTS: 48, MANC_USER_CONCURRENT_REQUESTS: 6 }
const [attacker, person] = ['192.0.2.1', '198.51.100.1']

let app: FastifyInstance

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})

afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

function serve(load: { spare(): number }): void {
  const log = createLog('silent')
  const metrics = new Metrics(log)
  app = Fastify()
  app.setErrorHandler(answerErrors(log))
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (request) => {
    const name = request.headers['x-user']
    if (typeof name === 'string') request.caller = { kind: 'user', id: name, name, rank: 'user' } as Caller
  })
  shareRequests(app, { maxRequests, limits: new Limits(metrics), metrics }, load)
  app.get('/page', async () => ({}))
  app.post(
    '/login',
    { config: { access: 'logIn' } },
    inShare(async () => ({})),
  )
  app.get(
    '/list',
    { config: { access: 'getAgents' } },
    inShare(async () => ({})),
  )
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function turns(count = 200): Promise<void> {
  for (let n = 0; n < count; n++) await turn()
}

/** Sends requests at once, and counts the responses by status. */
function send(
  requests: number,
  options: { url: string; remoteAddress?: string; method?: 'POST'; user?: string },
) {
  const statuses: number[] = []
  const { user, ...rest } = options
  for (let n = 0; n < requests; n++)
    void app
      .inject({ remoteAddress: person, ...rest, ...(user !== undefined && { headers: { 'x-user': user } }) })
      .then(({ statusCode }) => statuses.push(statusCode))
  return statuses
}

it.each(['/page', '/unknown'])(
  'an address that floods %s of a busy replica has a share of its time',
  async (url) => {
    serve(busy)
    const others = () => {
      for (let n = 0; n < 9; n++) send(1, { url: '/list', user: `user ${n}` })
    }
    others()
    await turns()
    const flood = send(1400, { url, remoteAddress: attacker })
    await turns(2000)
    // One second at once, at 2 ms each.
    expect(flood.length).toBe(500)
    for (let ms = 0; ms < 4000; ms += 100) {
      if (ms % 1000 === 0) others()
      await vi.advanceTimersByTimeAsync(100)
    }
    await turns()
    // A tenth of 4 s.
    expect(flood.length).toBeGreaterThan(650)
    expect(flood.length).toBeLessThan(750)
  },
)

it('an address that floods a busy replica delays neither others nor logins from the same address', async () => {
  serve(busy)
  const user = send(1, { url: '/list', user: 'user' })
  const flood = send(1400, { url: '/page', remoteAddress: attacker })
  await turns(2000)
  const other = send(10, { url: '/page' })
  const login = send(10, { url: '/login', method: 'POST', remoteAddress: attacker })
  const again = send(10, { url: '/list', user: 'user' })
  await turns()
  expect({ flood: flood.length, user, other, login, again }).toEqual({
    flood: 500,
    user: [200],
    other: Array(10).fill(200),
    login: Array(10).fill(200),
    again: Array(10).fill(200),
  })
})

it('an address of which 1,000 requests wait already gets 429', async () => {
  serve(busy)
  send(1, { url: '/list', user: 'user' })
  await turns()
  const flood = send(1600, { url: '/page', remoteAddress: attacker })
  await turns(2000)
  vi.advanceTimersByTime(1000)
  await turns(2000)
  expect(flood.filter((status) => status === 429)).toHaveLength(100)
})

it('a replica that is not busy answers all requests of an address', async () => {
  serve(idle)
  const flood: number[] = []
  for (let ms = 0; ms < 4000; ms += 100) {
    flood.push(
      ...(await Promise.all(Array.from({ length: 45 }, async () => (await app.inject('/page')).statusCode))),
    )
    vi.advanceTimersByTime(100)
  }
  expect(flood).toEqual(Array(1800).fill(200))
})
