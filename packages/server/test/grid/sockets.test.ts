import { eventStreamPath } from '@manc/contract'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Callers, makeCallers } from './callers.ts'
import { GridEnvironment, test as it } from './environment.ts'
import { expectations, socketExpectations } from './expectations.ts'
import { type CallerName, callerNames, sendsNoBearer } from './names.ts'
import { ownJob } from './requests.ts'
import { socketOutcomeOf, type Way } from './socket-outcome.ts'

const paths = [
  '/api/v1/ws',
  '/api/v1/callback/agent_data/ws',
  '/api/v1/callback/agent_details/ws',
  '/api/v1/callback/emulator/ws',
]
const ways: Way[] = ['header', 'subprotocol']

describe('who may have a WebSocket', () => {
  let environment: GridEnvironment
  let callers: Callers

  it.beforeAll(async ({ environment: own }) => {
    environment = own
    callers = await makeCallers(environment)
  })

  /** For every caller except the setup token, which exists only while there is no administrator. */
  async function found(
    path: string,
    way: Way,
    jobOf: (authorization: string | undefined) => Promise<string>,
  ) {
    const outcomes: Record<string, unknown> = {}
    for (const [name, authorization] of Object.entries(callers)) {
      const caller = name as CallerName
      if (way === 'subprotocol' && sendsNoBearer(caller)) continue
      const job = await jobOf(authorization)
      outcomes[name] = await socketOutcomeOf(environment, {
        path: `${path}/${job}`,
        caller,
        authorization,
        way,
      })
    }
    return outcomes
  }

  function expectedOf(of: 'own' | 'another', way: Way) {
    const those = callerNames.filter(
      (name) => name !== 'setup token' && !(way === 'subprotocol' && sendsNoBearer(name)),
    )
    return Object.fromEntries(those.map((name) => [name, socketExpectations[of][name]]))
  }

  it.each(ways)('who may list events may follow them, with the token in a %s', async (way) => {
    const outcomes: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [name, authorization] of Object.entries(callers)) {
      const caller = name as CallerName
      if (way === 'subprotocol' && sendsNoBearer(caller)) continue
      const asked = { path: eventStreamPath, caller, authorization, way }
      outcomes[name] = await socketOutcomeOf(environment, asked)
      expected[name] = expectations.listEvents[caller]
    }
    expect(outcomes).toEqual(expected)
  })

  describe.each(paths)('at %s', (path) => {
    it.each(ways)(
      'callers get the expected result for their own job, with the token in a %s',
      async (way) => {
        const outcomes = await found(path, way, (authorization) => ownJob(environment, authorization))
        expect(outcomes).toEqual(expectedOf('own', way))
      },
    )

    it.each(ways)(
      "callers get the expected result for another caller's job, with the token in a %s",
      async (way) => {
        const job = await ownJob(environment, `Bearer ${environment.adminToken}`)
        expect(await found(path, way, async () => job)).toEqual(expectedOf('another', way))
      },
    )
  })
})

describe('while there is no administrator, the setup token', () => {
  let environment: GridEnvironment

  beforeAll(async () => {
    environment = await GridEnvironment.openWithoutAdmin()
  })
  afterAll(() => environment?.drop())

  it.each(paths)('has no WebSocket at %s', async (path) => {
    const authorization = /Authorization: (Bearer setup_[\w-]+)/.exec(environment.logged())?.[1]
    expect(authorization).toBeDefined()
    for (const way of ways)
      expect(
        await socketOutcomeOf(environment, {
          path: `${path}/any`,
          caller: 'setup token',
          authorization,
          way,
        }),
      ).toBe(socketExpectations.own['setup token'])
  })
})
