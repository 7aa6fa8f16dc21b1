import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { serveHealth } from './health.ts'

it('requests for /readyz within a second share one check of the engines', async () => {
  let pings = 0
  const app = Fastify()
  const ping = async () => {
    pings++
  }
  serveHealth(app, { checks: [{ name: 'postgres', required: true, ping }], isStopping: () => false })
  const startedAt = performance.now()
  const responses = await Promise.all(Array.from({ length: 500 }, () => app.inject('/readyz')))
  expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(pings).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1000)
  await app.close()
})

it('/readyz reports an engine that stops within a second', async () => {
  let isDown = false
  const app = Fastify()
  const ping = async () => {
    if (isDown) throw new Error('down')
  }
  serveHealth(app, { checks: [{ name: 'postgres', required: true, ping }], isStopping: () => false })
  expect((await app.inject('/readyz')).statusCode).toBe(200)
  isDown = true
  await expect.poll(async () => (await app.inject('/readyz')).statusCode, { timeout: 5000 }).toBe(503)
  await app.close()
})
