import { randomUUID } from 'node:crypto'
import { call } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { Jwt } from '../../src/modules/tokens/index.ts'

const mib = 1024 * 1024
const noUser = '00000000-0000-0000-0000-000000000000'
const it = test.override('variables', {
  MANC_REFUSED_BODY_BYTES_PER_MINUTE: String(mib),
  MANC_UNREAD_BYTES: String(mib),
})

it('results that one full mailbox refuses do not keep the service from posting results of others', async ({
  environment,
}) => {
  const jwt = new Jwt({ key: environment.variables['MANC_TOKEN_KEY'] ?? '', maxLifetimeS: 7200 })
  const claims = { kind: 'service', sub: 'subscriber', uid: noUser, ver: 0, scope: 'callbacks:post' }
  const token = await jwt.sign(claims, 600)
  const body = [{ text: 'x'.repeat(mib / 2) }]
  const post = async (job: string) => {
    const route = `/api/v1/callback/agent_details?job_number=${job}`
    return (await call(environment.url, 'POST', route, { token, body })).status
  }
  const full = await environment.request('POST', '/api/v1/agent_details/request_all_agents_details')
  const statuses: number[] = []
  for (let n = 0; n < 8; n++) statuses.push(await post(full.body.job_number))
  expect(statuses.slice(-4).every((status) => status >= 400 && status < 500)).toBe(true)
  expect(await post(randomUUID())).toBe(200)
})
