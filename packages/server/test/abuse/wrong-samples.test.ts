import { tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

it('an agent cannot have the server write a response many times as large as its wrong samples', async ({
  environment,
}) => {
  const ap_id = uniqueName('wrong')
  await environment.request('POST', '/api/v1/agents/', { ap_id, password: 'p', configuration: {} })
  const token = await tokenOf(environment.url, 'agent', ap_id, 'p')
  const body = `{"samples":[${'1,'.repeat(400_000)}1]}`
  const response = await fetch(`${environment.url}/api/v1/agent_update/update`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  expect([response.status, text.length]).toEqual([422, expect.toSatisfy((length) => length < body.length)])
})
