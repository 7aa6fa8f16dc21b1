import { type ClientRequest, request } from 'node:http'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { Limits } from '../limits.ts'
import { createLog } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { answerErrors } from './errors.ts'
import { limitLargeBodies } from './large-bodies.ts'

const ordinaryBytes = 1024 * 1024
const maxConcurrent = 2

/** Requests name their app in `x-app`. `begin` sends the beginning of a large body, `post` a whole one. */
async function start() {
  const log = createLog('silent')
  const app = Fastify({ bodyLimit: ordinaryBytes })
  app.setErrorHandler(answerErrors(log))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body.length)
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (incoming) => {
    incoming.caller = {
      kind: 'third_party_app',
      id: String(incoming.headers['x-app']),
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
  const begun: ClientRequest[] = []
  const begin = (name: string) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': 12 * ordinaryBytes,
      'x-app': name,
    }
    const sent = request(url, { method: 'POST', headers })
    sent.on('error', () => {})
    sent.write('[')
    begun.push(sent)
  }
  const post = async (name: string, bytes: number) => {
    const headers = { 'content-type': 'application/json', 'x-app': name }
    const response = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(bytes) })
    await response.text()
    return [response.status, response.headers.get('retry-after')]
  }
  const destroyBegun = () => {
    for (const sent of begun) sent.destroy()
  }
  const close = async () => {
    destroyBegun()
    await app.close()
  }
  return { begin, destroyBegun, post, [Symbol.asyncDispose]: close }
}

it('many large bodies at once are refused with 429 until one of the first has ended', async () => {
  await using server = await start()
  for (const name of ['a', 'b']) server.begin(name)
  await expect.poll(() => server.post('c', 2 * ordinaryBytes), { timeout: 10_000 }).toEqual([429, '1'])
  expect(await server.post('c', 1000)).toEqual([200, null])
  server.destroyBegun()
  await expect.poll(() => server.post('c', 2 * ordinaryBytes), { timeout: 10_000 }).toEqual([200, null])
}, 30_000)

it('two slow large bodies of one app do not block another app', async () => {
  await using server = await start()
  for (const name of ['a', 'a']) server.begin(name)
  await expect.poll(() => server.post('a', 2 * ordinaryBytes), { timeout: 10_000 }).toEqual([429, '1'])
  expect(await server.post('b', 2 * ordinaryBytes)).toEqual([200, null])
  server.destroyBegun()
  await expect.poll(() => server.post('a', 2 * ordinaryBytes), { timeout: 10_000 }).toEqual([200, null])
}, 30_000)
