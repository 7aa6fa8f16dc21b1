import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Caller } from '../access.ts'
import { delayRefusals } from './late-refusals.ts'

const service: Caller = { kind: 'service', id: 'service', name: 'service' }
const [idle, busy] = [{ spare: () => 1 }, { spare: () => 0 }]

let app: FastifyInstance

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})

afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

function serve(load: { spare(): number }, caller?: Caller): void {
  app = fastify()
  app.addHook('onRequest', async (request) => {
    request.caller = caller
  })
  delayRefusals(app, load)
  app.get('/:status', (request, reply) =>
    reply.code(Number((request.params as { status: string }).status)).send({}),
  )
}

/** Resolves without the passing of time, unless the response is delayed. */
const statusOf = async (status: number) => (await app.inject(`/${status}`)).statusCode

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Sends requests that are refused, and counts the responses. */
function refuse(requests: number): { answered: () => number; all: Promise<number[]> } {
  let answered = 0
  const all = Array.from({ length: requests }, async () => {
    const status = await statusOf(429)
    answered += 1
    return status
  })
  return { answered: () => answered, all: Promise.all(all) }
}

it('a busy replica sends 429 late, and other responses at once', async () => {
  serve(busy)
  expect([await statusOf(200), await statusOf(403)]).toEqual([200, 403])
  const { answered, all } = refuse(1)
  for (let turns = 0; turns < 100; turns++) await turn()
  expect(answered()).toBe(0)
  for (; answered() < 1; vi.advanceTimersByTime(1000)) await turn()
  expect(await all).toEqual([429])
})

it('a replica that is not busy sends 429 at once', async () => {
  serve(idle)
  expect(await statusOf(429)).toBe(429)
})

it('the service gets 429 at once', async () => {
  serve(busy, service)
  expect(await statusOf(429)).toBe(429)
})

it('not more than 500 refusals wait at a time', async () => {
  serve(busy)
  const { answered, all } = refuse(520)
  while (answered() < 20) await turn()
  for (let turns = 0; turns < 100; turns++) await turn()
  expect(answered()).toBe(20)
  for (; answered() < 520; vi.advanceTimersByTime(1000)) await turn()
  expect(new Set(await all)).toEqual(new Set([429]))
})
