import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Manc, NotLoggedIn } from '@manc/sdk'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readControllerHealth } from './controller-health.ts'

let server: Server
let answer: (path: string, response: ServerResponse) => void

beforeEach(async () => {
  server = createServer(({ url = '' }, response) => answer(url, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const read = (signal = new AbortController().signal) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const token = { accessToken: 'x', expiresAt: Date.now() + 3_600_000 }
  return readControllerHealth(new Manc({ url, token, retryForMs: 0 }), url, signal)
}
const send = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))

it('without the health, the engines that do not answer are shown', async () => {
  const engines = { postgres: 'down', rabbitmq: 'up' }
  answer = (path, response) => send(response, 503, path === '/readyz' ? { engines } : { detail: 'x' })
  const { state, parts } = await read()
  expect(state).toBe('bad')
  expect(parts.map((part) => [part.id, part.state])).toEqual([
    ['postgres', 'bad'],
    ['rabbitmq', 'good'],
    ['others', 'unknown'],
  ])
})

it('the controller is not called good if only its engines are', async () => {
  answer = (path, response) =>
    path === '/readyz' ? send(response, 200, { engines: { postgres: 'up' } }) : send(response, 500, '{}')
  expect(await read()).toMatchObject({ state: 'unknown' })
})

it.each(['<html>503 Service Unavailable</html>', '"no server"', 'null', '{"engines":7}'])(
  'a response of a proxy says that no api process is ready: %s',
  async (text) => {
    answer = (_path, response) => send(response, 503, text)
    const { state, parts } = await read()
    expect(state).toBe('bad')
    expect(parts).toMatchObject([
      { reason: 'No api process is ready.', next_step: 'Check PostgreSQL and the api processes.' },
    ])
  },
)

it('a controller that does not answer is not reachable', async () => {
  answer = (_path, response) => response.destroy()
  expect(await read()).toMatchObject({ state: 'not reachable', parts: [{ state: 'bad' }] })
})

it('the end of the session and a cancelled request are no state of the controller', async () => {
  answer = (_path, response) => send(response, 401, { detail: 'x' })
  await expect(read()).rejects.toBeInstanceOf(NotLoggedIn)
  answer = (_path, response) => send(response, 503, '')
  await expect(read(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
})
