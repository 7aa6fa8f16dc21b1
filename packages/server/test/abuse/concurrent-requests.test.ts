import { call, tokenOf, uniqueName } from '@manc/harness'
import { describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment } from '../telemetry/environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** The token of a standard user from sign-up. */
async function signUp(): Promise<string> {
  const user = { username: `${uniqueName('user')}@abuse.test`, password: 'a-password' }
  expect((await call(environment.url, 'POST', '/api/v1/users/signup', { body: user })).status).toBe(200)
  return tokenOf(environment.url, 'user', user.username, user.password)
}

const chart = (agent: string, token: string) =>
  environment.get(`agent_multi_metric_data?agent=${agent}&metrics=clients&window=1m`, token)

describe('a caller that sends 200 requests at once', () => {
  it('does not use up the connections to the metrics store: the request of another user is sent immediately', async () => {
    const [attacker, other] = [await signUp(), await signUp()]
    const agents = Array.from({ length: 200 }, () => uniqueName('flood'))
    const watched = uniqueName('watched')
    environment.storeProxy.isSilent = true
    try {
      const flood = agents.map((agent) => chart(agent, attacker))
      const answer = await chart(watched, other)
      const inStore = agents.filter((agent) => environment.storeProxy.readsOf(agent) > 0).length
      expect({ status: answer.status, reads: environment.storeProxy.readsOf(watched) }).toEqual({
        status: 503,
        reads: 1,
      })
      expect(inStore, 'requests of one user at the store').toBeLessThan(15)
      environment.storeProxy.isSilent = false
      await Promise.all(flood)
    } finally {
      environment.storeProxy.isSilent = false
    }
  })

  it('gets an answer to each of them', async () => {
    const token = await signUp()
    const agent = uniqueName('asked')
    await environment.createAgent(agent)
    const statuses = await Promise.all(
      Array.from(
        { length: 200 },
        async () => (await call(environment.url, 'GET', `/api/v1/agents/${agent}`, { token })).status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
