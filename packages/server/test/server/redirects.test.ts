import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RabbitMqManagement } from '../../src/engines/rabbitmq/management.ts'
import { createLog } from '../../src/log.ts'
import { CallbackClient } from '../../src/modules/jobs/callback.client.ts'
import { Tracing } from '../../src/tracing.ts'

/** Redirects every request to the other server, which counts what it receives. */
let redirecting: Server
let other: Server
let received = 0

beforeAll(async () => {
  other = createServer((_request, response) => {
    received += 1
    response.end()
  })
  redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: urlOf(other) }).end()
  })
  for (const server of [other, redirecting]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const server of [other, redirecting]) server.close()
})

it('the credentials of the broker management API do not follow a redirect', async () => {
  const management = new RabbitMqManagement({ url: urlOf(redirecting).replace('//', '//manc:secret@') })
  await expect(management.closeAgentConnections('ap-1')).rejects.toThrow('307')
  expect(received).toBe(0)
})

it('a result and its service token do not follow a redirect', async () => {
  const client = new CallbackClient({
    url: () => urlOf(redirecting),
    newToken: async () => 'secret',
    tokenLivesForS: 60,
    tracing: new Tracing({ url: undefined, headers: {}, attributes: {}, log: createLog('silent'), ratio: 0 }),
  })
  const chunk = { items: '[]', cursor: '', isLast: true }
  const { signal } = new AbortController()
  const delivered = client.deliver({ jobNumber: '1', callback: 'agent_data', lease: 'l', chunk, signal })
  await expect(delivered).rejects.toThrow('307')
  expect(received).toBe(0)
})

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
