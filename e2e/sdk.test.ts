import path from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  admin,
  closedPort,
  type Replica,
  startReplica,
  type TestEnvironment,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, expect } from 'vitest'
import { launchBrowser } from './browser.ts'

const it = test.override('withServer', false)

let environment: TestEnvironment
let server: Replica
let browser: Browser
let script: string

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // Pages are let in by their origin, which is known before it listens.
  const port = await closedPort()
  const MANC_PUBLIC_URL = `http://127.0.0.1:${port}`
  server = await startReplica({ ...environment.variables, MANC_PORT: String(port), MANC_PUBLIC_URL })
  browser = await launchBrowser()
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, '../packages/sdk/src/index.ts'),
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'sdk', minify: true })
  script = output[0].code
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

it('the SDK is small and has no dependency on Node.js', () => {
  expect(script).not.toMatch(/node:|typebox/i)
  expect(gzipSync(script).length).toBeLessThan(10_500)
})

it('the SDK logs in, reads and reports errors in a page', async () => {
  const apId = uniqueName('page')
  const page = await browser.newPage()
  await page.addInitScript(`${script}; globalThis.sdk = sdk`)
  await page.goto(`${server.url}/docs`)
  const result = await page.evaluate(
    async ([url, credentials, name]) => {
      const { Manc } = (globalThis as unknown as { sdk: typeof import('@manc/sdk') }).sdk
      const manc = new Manc({ url, credentials })
      await manc.agents.register({ ap_id: name, password: 'a-password', configuration: {} })
      const agents: string[] = []
      for await (const { ap_id } of manc.agents.report()) agents.push(ap_id)
      const wrong = await manc.agents.get('unknown').catch((error: Error) => error.name)
      return { me: (await manc.users.me()).username, agents, wrong }
    },
    [server.url, admin, apId] as const,
  )
  expect(result).toEqual({ me: admin.username, agents: expect.arrayContaining([apId]), wrong: 'NotFound' })
})
