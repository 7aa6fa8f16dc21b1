import type { AuditRecord } from '@manc/contract'
import { admin, call, type TestEnvironment } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

const exportedLines = async (environment: TestEnvironment, query = '') => {
  const { status, headers, body } = await environment.request('GET', `/api/v1/audit/export${query}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
  return body as string
}

const recordsIn = (lines: string): AuditRecord[] =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

it.beforeAll(async ({ environment }) => {
  await environment.sql(`insert into audit (at, actor_kind, actor, action, target, detail)
    select now() - n * interval '1 minute', 'user', 'exported', 'agent.command', 'ex-' || n, '{"command": "a\\nb"}'
    from generate_series(1, 2500) n`)
})

it('the export has every entry once, newest first, as in the list', async ({ environment }) => {
  const records = recordsIn(await exportedLines(environment, '?actor=exported'))
  expect(records.map(({ target }) => target)).toEqual(Array.from({ length: 2500 }, (_, n) => `ex-${n + 1}`))
  const { body: listed } = await environment.request('GET', '/api/v1/audit?actor=exported&limit=1000')
  expect(records.slice(0, 1000)).toEqual(listed)
})

it('the export takes the filters of the list', async ({ environment }) => {
  const query = '?actor=exported&action=agent.command&target=EX-250'
  const { body: listed } = await environment.request('GET', `/api/v1/audit${query}`)
  expect(recordsIn(await exportedLines(environment, query))).toEqual(listed)
  expect(listed).toHaveLength(2)
  expect(await exportedLines(environment, '?actor=exported&to=2020-01-01')).toBe('')
})

it('the export refuses a wrong filter, and callers who are not administrators', async ({ environment }) => {
  expect((await environment.request('GET', '/api/v1/audit/export?action=nothing')).status).toBe(422)
  expect((await call(environment.url, 'GET', '/api/v1/audit/export')).status).toBe(401)
})

it('the export contains no password', async ({ environment }) => {
  expect(await exportedLines(environment)).not.toContain(admin.password)
})
