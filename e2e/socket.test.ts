import { randomUUID } from 'node:crypto'
import { envelopeProtocol, socketPath, socketProtocols } from '@manc/contract'
import {
  admin,
  call,
  closedPort,
  type Replica,
  startReplica,
  type TestEnvironment,
  tokenOf,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import type { Browser } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { launchBrowser } from './browser.ts'

const it = test.override('withServer', false)

let environment: TestEnvironment
let server: Replica
let browser: Browser

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // Pages are let in by their origin, which is known before it listens.
  const port = await closedPort()
  const MANC_PUBLIC_URL = `http://127.0.0.1:${port}`
  server = await startReplica({ ...environment.variables, MANC_PORT: String(port), MANC_PUBLIC_URL })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const socketOf = (number: string) => `${server.url.replace('http', 'ws')}${socketPath}/${number}`

type InPage = [url: string, protocols: string[], count: number]

/** Runs in the page with the browser's WebSocket, so it can use its arguments only. */
function readInPage([url, protocols, count]: InPage): Promise<object> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols)
    const messages: unknown[] = []
    socket.addEventListener('message', ({ data }) => {
      messages.push(JSON.parse(data))
      if (messages.length === count) socket.close()
    })
    socket.addEventListener('close', ({ code }) => resolve({ code, protocol: socket.protocol, messages }))
  })
}

it('a page of the controller reads a job with its token as a subprotocol', async () => {
  const token = await tokenOf(server.url, 'user', admin.username, admin.password)
  const number = randomUUID()
  const post = (body: unknown[]) =>
    call(server.url, 'POST', `/api/v1/callback/agent_data?job_number=${number}`, { token, body })
  await post([{ before: 1 }])
  const page = await browser.newPage()
  await page.goto(`${server.url}/docs`)
  const reading = page.evaluate(readInPage, [socketOf(number), socketProtocols(token), 2] as InPage)
  await post([{ after: 2 }])
  expect(await reading).toMatchObject({
    protocol: envelopeProtocol,
    messages: [
      { type: 'result', seq: 1, data: [{ before: 1 }] },
      { type: 'result', seq: 2, data: [{ after: 2 }] },
    ],
  })
  await page.close()
})

it('a WebSocket is rejected from another origin or with a wrong token', async () => {
  const token = await tokenOf(server.url, 'user', admin.username, admin.password)
  const number = randomUUID()
  await call(server.url, 'POST', `/api/v1/callback/agent_data?job_number=${number}`, { token, body: [1] })
  const page = await browser.newPage()
  await page.goto(`${server.url}/docs`)
  expect(
    await page.evaluate(readInPage, [socketOf(number), socketProtocols('a.b.c'), 1] as InPage),
  ).toMatchObject({
    code: 1006,
    messages: [],
  })
  const otherOrigin = await browser.newPage()
  await otherOrigin.goto('about:blank')
  const code = await otherOrigin.evaluate(
    ({ url, protocols }) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(url, protocols)
        socket.addEventListener('close', (event) => resolve(event.code))
      }),
    { url: socketOf(number), protocols: socketProtocols(token) },
  )
  expect(code).toBe(1006)
})
