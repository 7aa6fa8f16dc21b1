import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { operations } from '@manc/contract'
import { admin, createEnvironment, type Replica, startReplica, type TestEnvironment } from '@manc/harness'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'

let environment: TestEnvironment
let server: Replica
let folder: string

// Each attempt has its own: a module is imported once from where it is.
beforeEach(async () => {
  environment = await createEnvironment(inject('engines'))
  server = await startReplica(environment.variables)
  folder = mkdtempSync(path.join(tmpdir(), 'manc-generated-'))
})

afterEach(async () => {
  await server?.stop()
  await environment?.drop()
  rmSync(folder, { recursive: true, force: true })
})

type Method = (options: object) => Promise<{ data?: any; error?: any }>

it('a third-party generator makes a working client from /openapi.json', async () => {
  await createClient({
    input: `${server.url}/openapi.json`,
    output: path.join(folder, 'source'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
  const bundle = await rolldown({ input: path.join(folder, 'source/index.ts'), platform: 'node' })
  const file = path.join(folder, 'client.mjs')
  await bundle.write({ file, format: 'esm' })
  const generated = (await import(pathToFileURL(file).href)) as Record<string, Method>
  expect(Object.keys(generated)).toEqual(expect.arrayContaining(Object.keys(operations)))
  const call = (id: keyof typeof operations, options: object) =>
    (generated[id] as Method)({ baseUrl: server.url, ...options })

  const { data: token } = await call('logIn', {
    query: { login_type: 'user' },
    body: { grant_type: 'password', ...admin },
  })
  const auth = () => token.access_token as string
  expect((await call('getMe', { auth })).data.username).toBe(admin.username)
  const body = { ap_id: 'generated-1', password: 'a-password', configuration: { technology: 'LiFi' } }
  expect((await call('createAgent', { auth, body })).data.ap_id).toBe('generated-1')
  const { data: agents } = await call('listFleetAgents', { auth, query: { technology: ['LiFi', '5G'] } })
  expect(agents.map(({ ap_id }: { ap_id: string }) => ap_id)).toEqual(['generated-1'])
  const { data: series } = await call('getAgentMultiMetricData', {
    auth,
    query: { agent: 'generated-1', metrics: ['clients', 'lux'], window: '5m' },
  })
  expect(series.series.map(({ metric }: { metric: string }) => metric)).toEqual(['clients', 'lux'])
  const { error } = await call('getAgent', { auth, path: { ap_id: 'missing-agent' } })
  expect(error.detail).toBeTypeOf('string')
}, 60_000)
