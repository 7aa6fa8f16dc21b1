import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Caller } from '../access.ts'
import { Refused } from '../errors.ts'
import { Limits } from '../limits.ts'
import { createLog } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { answerErrors } from './errors.ts'
import { guardRoutes } from './guard.ts'
import { inShare, shareRequests, takeTurn } from './request-shares.ts'

const [idle, busy] = [{ spare: () => 1 }, { spare: () => 0 }]
const maxRequests = { MANC_CONCURRENT_REQUESTS: 48, MANC_USER_CONCURRENT_REQUESTS: 6 }
const [attacker, person] = ['192.0.2.1', '198.51.100.1']
/** Of 9 users and the attacker, a tenth of the time each. */
const activeUsers = 9

let app: FastifyInstance
/** Ends the requests of the route /slow. */
let endSlow: () => void

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})

afterEach(async () => {
  endSlow()
  vi.useRealTimers()
  await app.close()
})

function serve(load: { spare(): number }): void {
  const log = createLog('silent')
  const metrics = new Metrics(log)
  const { promise: slowEnds, resolve } = Promise.withResolvers<void>()
  endSlow = resolve
  app = Fastify()
  app.setErrorHandler(answerErrors(log))
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)
  app.addHook('onRequest', async (request) => {
    const name = request.headers['x-user']
    if (typeof name === 'string') request.caller = { kind: 'user', id: name, name, rank: 'user' } as Caller
  })
  shareRequests(app, { maxRequests, limits: new Limits(metrics), load, metrics })
  guardRoutes(app, takeTurn)
  const answer = async () => ({})
  app.get('/page', { config: { access: 'docs' } }, answer)
  app.get('/readyz', { config: { access: 'health' } }, answer)
  app.get('/forbidden', { config: { access: 'listUsers' } }, answer)
  app.post('/login', { config: { access: 'logIn' } }, inShare(answer))
  app.post(
    '/wrong-login',
    { config: { access: 'logIn' } },
    inShare(async () => {
      throw new Refused('unauthenticated', 'Incorrect username or password')
    }),
  )
  app.get('/list', { config: { access: 'getMe' } }, inShare(answer))
  app.post(
    '/slow',
    { config: { access: 'signUp' } },
    inShare(async () => slowEnds),
  )
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function turns(count = 300): Promise<void> {
  for (let n = 0; n < count; n++) await turn()
}

/** Sends requests at once; the responses are added by status. */
function send(
  requests: number,
  options: { url: string; remoteAddress?: string; method?: 'POST'; user?: string },
): number[] {
  const statuses: number[] = []
  const { user, ...rest } = options
  for (let n = 0; n < requests; n++)
    void app
      .inject({ remoteAddress: person, ...rest, ...(user !== undefined && { headers: { 'x-user': user } }) })
      .then(({ statusCode }) => statuses.push(statusCode))
  return statuses
}

const except429 = (statuses: number[]) => statuses.filter((status) => status !== 429).length

function useByOthers(): void {
  for (let n = 0; n < activeUsers; n++) send(1, { url: '/list', user: `user ${n}` })
}

/** Some seconds, in which the users stay active. */
async function seconds(count: number): Promise<void> {
  for (let ms = 0; ms < count * 1000; ms += 100) {
    if (ms % 1000 === 0) useByOthers()
    await vi.advanceTimersByTimeAsync(100)
  }
  await turns()
}

it.each([
  ['a page', { url: '/page' }],
  ['an unknown path', { url: '/unknown' }],
  ['an unknown path with a token', { url: '/unknown', user: 'attacker' }],
  ['an operation without a token', { url: '/list' }],
  ['an operation that the caller may not use', { url: '/forbidden', user: 'attacker' }],
  ['health', { url: '/readyz' }],
])('a busy replica answers a flood of requests for %s with a share of its time', async (_name, options) => {
  serve(busy)
  useByOthers()
  await turns()
  const flood = send(1400, { ...options, remoteAddress: attacker })
  await turns(2000)
  // 0.3 s at once, at 5 ms each.
  expect(except429(flood)).toBe(60)
  await seconds(4)
  // Of ten callers six count twice: a 16th of 4 s.
  expect(except429(flood)).toBeGreaterThan(100)
  expect(except429(flood)).toBeLessThan(120)
  // A 16th of 5 s waits, and no more.
  await seconds(4)
  expect(except429(flood)).toBe(122)
  expect(flood).toHaveLength(1400)
})

it('a flood of logins has a share of the time', async () => {
  serve(busy)
  useByOthers()
  await turns()
  const flood = send(1400, { url: '/login', method: 'POST', remoteAddress: attacker })
  await seconds(8)
  // At 2 ms each. The logins that are processed count as one more active caller.
  expect(except429(flood)).toBeGreaterThan(620)
  expect(except429(flood)).toBeLessThanOrEqual(656)
})

it('failed logins of an address count the time of the passwords that were checked', async () => {
  serve(busy)
  useByOthers()
  await turns()
  const failed = send(30, { url: '/wrong-login', method: 'POST', remoteAddress: attacker })
  await turns()
  expect(failed).toEqual(Array(30).fill(401))
  // 30 of 42 ms, less 1 s at once: at a 16th of the time the next login has to wait for 4.2 s.
  const next = send(1, { url: '/login', method: 'POST', remoteAddress: attacker })
  const ofOther = send(30, { url: '/login', method: 'POST' })
  await seconds(4)
  expect(ofOther).toEqual(Array(30).fill(200))
  expect(next).toEqual([])
  await seconds(1)
  expect(next).toEqual([200])
})

it('failed logins delay no one while the replica is not busy', async () => {
  serve(idle)
  const failed = send(100, { url: '/wrong-login', method: 'POST', remoteAddress: attacker })
  await turns(1000)
  expect(failed).toEqual(Array(100).fill(401))
  const next = send(1, { url: '/login', method: 'POST', remoteAddress: attacker })
  await turns()
  expect(next).toEqual([200])
})

it('an address that floods a busy replica delays neither others nor its own logins and health checks', async () => {
  serve(busy)
  useByOthers()
  await turns()
  send(1400, { url: '/page', remoteAddress: attacker })
  await turns(2000)
  const responses = [
    send(10, { url: '/page' }),
    send(10, { url: '/list', user: 'user 1', remoteAddress: attacker }),
    send(10, { url: '/login', method: 'POST', remoteAddress: attacker }),
    send(10, { url: '/readyz', remoteAddress: attacker }),
  ]
  await turns()
  expect(responses).toEqual(Array(4).fill(Array(10).fill(200)))
})

it('pages do not wait for the running requests of their address', async () => {
  serve(busy)
  send(20, { url: '/slow', method: 'POST' })
  await turns()
  const pages = send(10, { url: '/page' })
  await turns()
  expect(pages).toEqual(Array(10).fill(200))
})

it('a replica that is not busy answers all requests of an address', async () => {
  serve(idle)
  useByOthers()
  await turns()
  const flood = send(1400, { url: '/page', remoteAddress: attacker })
  await turns(2000)
  expect(flood).toEqual(Array(1400).fill(200))
})
