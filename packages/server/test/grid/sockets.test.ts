import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Callers, makeCallers } from './callers.ts'
import { socketExpectations } from './expectations.ts'
import { type CallerName, callerNames, sendsNoBearer } from './names.ts'
import { ownJob } from './requests.ts'
import { Site } from './site.ts'
import { socketOutcomeOf, type Way } from './socket-outcome.ts'

const paths = [
  '/api/v1/ws',
  '/api/v1/callback/agent_data/ws',
  '/api/v1/callback/agent_details/ws',
  '/api/v1/callback/emulator/ws',
]
const ways: Way[] = ['header', 'subprotocol']

describe('who may have a WebSocket', () => {
  let site: Site
  let callers: Callers

  beforeAll(async () => {
    site = await Site.open()
    callers = await makeCallers(site)
  })
  afterAll(() => site?.close())

  /** Of every caller but the setup token, which there is only while there is no administrator. */
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
      outcomes[name] = await socketOutcomeOf(site, { path: `${path}/${job}`, caller, authorization, way })
    }
    return outcomes
  }

  function expectedOf(of: 'own' | 'another', way: Way) {
    const those = callerNames.filter(
      (name) => name !== 'setup token' && !(way === 'subprotocol' && sendsNoBearer(name)),
    )
    return Object.fromEntries(those.map((name) => [name, socketExpectations[of][name]]))
  }

  describe.each(paths)('at %s', (path) => {
    it.each(ways)('of a job of their own, with the token in a %s', async (way) => {
      const outcomes = await found(path, way, (authorization) => ownJob(site, authorization))
      expect(outcomes).toEqual(expectedOf('own', way))
    })

    it.each(ways)('of a job of somebody else, with the token in a %s', async (way) => {
      const job = await ownJob(site, `Bearer ${site.adminToken}`)
      expect(await found(path, way, async () => job)).toEqual(expectedOf('another', way))
    })
  })
})

describe('while there is no administrator, the setup token', () => {
  let site: Site

  beforeAll(async () => {
    site = await Site.openWithoutAdmin()
  })
  afterAll(() => site?.close())

  it.each(paths)('has no WebSocket at %s', async (path) => {
    const authorization = /Authorization: (Bearer setup_[\w-]+)/.exec(site.logged())?.[1]
    expect(authorization).toBeDefined()
    for (const way of ways)
      expect(
        await socketOutcomeOf(site, { path: `${path}/any`, caller: 'setup token', authorization, way }),
      ).toBe(socketExpectations.own['setup token'])
  })
})
