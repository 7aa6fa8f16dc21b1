import { randomUUID } from 'node:crypto'
import { envelopeProtocol } from '@manc/contract'
import { call, tokenOf } from '@manc/harness'
import { describe, expect } from 'vitest'
import { test as it, type JobsEnvironment } from './environment.ts'

let environment: JobsEnvironment
const tokens: Record<string, string> = {}
const kinds = ['agent_data', 'agent_details', 'emulator']
const details = '/api/v1/agent_details/request_all_agents_details'
const soon = { timeout: 30_000, interval: 20 }

it.beforeAll(async ({ environment: own }) => {
  environment = own
  const { url } = environment
  const make = (path: string, body: object) => environment.request('POST', path, body)
  await make('/api/v1/agents/', { ap_id: 'forger', password: 'p', configuration: {} })
  await make('/api/v1/third_party_apps/', { app_name: 'plain', api_key: 'k', permissions: {} })
  const words = { agent_data: true, agent_details: true }
  await make('/api/v1/third_party_apps/', { app_name: 'reading', api_key: 'k', permissions: words })
  const permissions = { scopes: ['callbacks:post'] }
  await make('/api/v1/third_party_apps/', { app_name: 'poster', api_key: 'k', permissions })
  const enrolment = await make('/api/v1/enrolment_tokens', { uses: 1, valid_for_s: 600 })
  Object.assign(tokens, {
    owner: await environment.createUser('owner@forged.test'),
    user: await environment.createUser('user@forged.test'),
    agent: await tokenOf(url, 'agent', 'forger', 'p'),
    app: await tokenOf(url, 'third_party_app', 'plain', 'k'),
    'app that reads agent_data': await tokenOf(url, 'third_party_app', 'reading', 'k'),
    'app with callbacks:post': await tokenOf(url, 'third_party_app', 'poster', 'k'),
    admin: environment.adminToken,
    enrolment: enrolment.body.token,
    'made up': 'aaaa.bbbb.cccc',
  })
})

/** A job of the owner whose result has come. */
async function finished(): Promise<string> {
  const number = await environment.requestJob(details, tokens['owner'])
  const state = async () =>
    (await environment.request('GET', `/api/v1/jobs/${number}`, undefined, tokens['owner'] ?? '')).body.state
  await expect.poll(state, soon).toBe('succeeded')
  return number
}

const post = (number: string, as: string, kind: string, headers: Record<string, string> = {}) =>
  call(environment.url, 'POST', `/api/v1/callback/${kind}?job_number=${number}`, {
    ...(tokens[as] && { token: tokens[as] }),
    body: [{ forged: as }],
    headers,
  })

/** What a client of the owner reads. */
async function readBy(as: string, number: string): Promise<unknown[]> {
  const client = await environment.connect(number, { token: tokens[as] ?? '', protocols: [envelopeProtocol] })
  await post(number, 'admin', 'agent_details')
  await expect
    .poll(() => client.messages.flatMap(({ data }) => data), soon)
    .toContainEqual({ forged: 'admin' })
  return client.messages.filter(({ type }) => type === 'result').flatMap(({ data }) => data)
}

describe.each(kinds)('a forged post to the callback %s', (kind) => {
  it.each([
    ['nobody', 401],
    ['made up', 401],
    ['enrolment', 403],
    ['owner', 403],
    ['user', 403],
    ['agent', 403],
    ['app', 403],
    ['app that reads agent_data', 403],
  ])('by %s is rejected with %i and not delivered', async (as, status) => {
    const number = await finished()
    expect((await post(number, as, kind)).status).toBe(status)
    expect(await readBy('owner', number)).toEqual([
      expect.objectContaining({ ap_id: 'forger' }),
      { forged: 'admin' },
    ])
  })

  it.each(['admin', 'app with callbacks:post'])('by %s is authorized and delivered', async (as) => {
    const number = await finished()
    expect((await post(number, as, kind)).status).toBe(200)
    expect(await readBy('owner', number)).toContainEqual({ forged: as })
  })

  it('to an unknown job creates a job that only its poster can read', async () => {
    const number = randomUUID()
    const poster = 'app with callbacks:post'
    expect((await post(number, poster, kind)).status).toBe(200)
    expect(await environment.startConnecting(number, { token: tokens['agent'] ?? '' }).refused).toBe(404)
    expect(await readBy(poster, number)).toEqual([{ forged: poster }, { forged: 'admin' }])
  })
})

describe('progress and end of a job', () => {
  it('are accepted only from the subscriber', async () => {
    const number = randomUUID()
    const claims = { 'manc-lease': randomUUID(), 'manc-cursor': 'x', 'manc-final': 'true' }
    for (const as of ['admin', 'app with callbacks:post', 'admin'])
      expect((await post(number, as, 'agent_data', claims)).status).toBe(200)
    const { body } = await environment.request('GET', `/api/v1/jobs/${number}`)
    expect(body).toMatchObject({ state: 'open', last_seq: 3 })
  })
})

describe('a replayed post', () => {
  it('is delivered once, whichever replica receives it', async () => {
    const number = await finished()
    const key = randomUUID()
    for (const replica of [0, 1, 0] as const)
      expect((await environment.postResult(number, [{ n: 1 }], { key, replica })).status).toBe(200)
    const read = await readBy('owner', number)
    expect(read.filter((item) => JSON.stringify(item) === '{"n":1}')).toHaveLength(1)
  })
})
