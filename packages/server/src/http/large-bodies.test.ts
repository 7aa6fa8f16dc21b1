import { request } from 'node:http'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { Limits } from '../limits.ts'
import { createLog } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { answerErrors } from './errors.ts'
import { limitLargeBodies } from './large-bodies.ts'

const ordinaryBytes = 1024 * 1024
const maxConcurrent = 2

it('many large bodies at once are refused with 429 until one of the first has ended', async () => {
  const log = createLog('silent')
  const app = Fastify({ bodyLimit: ordinaryBytes })
  app.setErrorHandler(answerErrors(log))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body.length)
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (incoming) => {
    incoming.caller = {
      kind: 'third_party_app',
      id: 'a',
      name: 'emulator',
      may: () => true,
      priority: 0,
      agents: ['*'],
      sees: () => true,
    }
  })
  const limits = new Limits(new Metrics(log))
  limitLargeBodies(app, { ordinaryBytes, maxConcurrent, limits })
  const options = { bodyLimit: 16 * ordinaryBytes, config: { keepsText: true } }
  app.post('/', options, async (incoming) => ({ bytes: incoming.body }))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const begun = Array.from({ length: maxConcurrent }, () => {
      const headers = { 'content-type': 'application/json', 'content-length': 12 * ordinaryBytes }
      const sent = request(url, { method: 'POST', headers })
      sent.on('error', () => {})
      sent.write('[')
      return sent
    })
    const post = async (bytes: number) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(bytes) })
      await response.text()
      return [response.status, response.headers.get('retry-after')]
    }
    await expect.poll(() => post(2 * ordinaryBytes), { timeout: 10_000 }).toEqual([429, '1'])
    expect(await post(1000)).toEqual([200, null])
    for (const sent of begun) sent.destroy()
    await expect.poll(() => post(2 * ordinaryBytes), { timeout: 10_000 }).toEqual([200, null])
  } finally {
    await app.close()
  }
}, 30_000)
