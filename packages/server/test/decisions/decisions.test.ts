import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { agent, app, Decisions, Device, decisionOf, soon } from './parties.ts'

const it = test.override('variables', {
  MANC_DECISIONS_PER_HOUR: '12',
  MANC_OPEN_PROPOSALS: '4',
  MANC_DECISIONS_KEPT: '12',
  MANC_COMMAND_HOLD_SECONDS: '60',
})

let environment: TestEnvironment
let decisions: Decisions
it.beforeAll(async ({ environment: own }) => {
  environment = own
  decisions = new Decisions(environment)
})

async function userToken(roles: string[]): Promise<string> {
  const user = { username: `${uniqueName('user')}@decisions.test`, password: 'a-password', roles }
  await environment.request('POST', '/api/v1/users/', user)
  return tokenOf(environment.url, 'user', user.username, user.password)
}

const commandsOf = async (apId: string): Promise<number> =>
  (await environment.sql('select count(*)::int as n from commands where ap_id = $1', [apId]))[0].n

describe('a decision', () => {
  it('of mode watch is recorded with what was observed and expected, and sends no command', async () => {
    const [apId, { name, token }] = [await agent(environment), await app(environment)]
    const made = await decisions.create(decisionOf([apId], { mode: 'watch', client: 'client-7' }), token)
    expect(made).toMatchObject({
      owner: name,
      owner_kind: 'app',
      policy: 'balance',
      mode: 'watch',
      state: 'recorded',
      client: 'client-7',
      observed: [{ ap_id: apId, kpi: 'load_pct', value: 91, at: '2026-11-17T12:00:00.000Z' }],
      expected: [{ ap_id: apId, kpi: 'load_pct', from: 91, to: 60 }],
      commands: [{ ap_id: apId, command: 'set_power 10', verdict: null, job_number: null, state: null }],
      job_number: null,
      measured: null,
      executed_at: null,
    })
    expect(await commandsOf(apId)).toBe(0)
    expect(await decisions.get(made.id, token)).toEqual(made)
    expect(await decisions.list(`ap_id=${apId}`)).toEqual([made])
    expect(await decisions.list('client=client-7')).toEqual([made])
    expect(await decisions.eventsOf(apId)).toEqual(['recorded'])
  })

  it('of mode act is sent as one job at once, with a verdict for each command', async () => {
    const apIds = [await agent(environment), await agent(environment)]
    const { token } = await app(environment)
    const made = await decisions.create(decisionOf(apIds, { mode: 'act' }), token)
    expect(made).toMatchObject({ state: 'executed', decided_by: null })
    expect(made.commands).toMatchObject(
      apIds.map((apId) => ({ ap_id: apId, verdict: 'granted', detail: null, state: 'queued' })),
    )
    const { body: job } = await environment.request(
      'GET',
      `/api/v1/jobs/${made.job_number}`,
      undefined,
      token,
    )
    expect(job).toMatchObject({ kind: 'send_commands', title: 'Decision balance → 2 access points' })
    const seconds = (Date.parse(made.measure_at ?? '') - Date.parse(made.executed_at ?? '')) / 1000
    expect(seconds).toBe(60)
  })

  it('that the arbiter refuses for one access point is recorded, and sends no command at all', async () => {
    const [held, free] = [await agent(environment), await agent(environment)]
    const [first, second] = [await app(environment), await app(environment)]
    await decisions.create(decisionOf([held], { mode: 'act' }), first.token)
    const refused = await decisions.create(decisionOf([free, held], { mode: 'act' }), second.token)
    expect(refused).toMatchObject({ state: 'refused', job_number: null, executed_at: null })
    expect(refused.commands).toMatchObject([
      { ap_id: free, verdict: 'not_sent', state: null },
      { ap_id: held, verdict: 'held', detail: expect.stringMatching(/Try again in \d+ s/), state: null },
    ])
    expect([await commandsOf(free), await commandsOf(held)]).toEqual([0, 1])
    // Nothing is reserved for the second app.
    expect((await decisions.create(decisionOf([free], { mode: 'act' }), first.token)).state).toBe('executed')
  })

  it('has several commands for one access point, with a verdict, an outcome and the answer for each', async () => {
    const [apId, other, { token }] = [
      await agent(environment),
      await agent(environment),
      await app(environment),
    ]
    const commands = ['client-1', 'client-2', 'client-3'].map((client) => ({
      ap_id: apId,
      command: `steer_client ${client} ${other}`,
    }))
    const made = await decisions.create(decisionOf([apId, other], { mode: 'act', commands }), token)
    expect(made.commands).toMatchObject(commands.map((each) => ({ ...each, verdict: 'granted' })))
    const { body: job } = await environment.request(
      'GET',
      `/api/v1/jobs/${made.job_number}`,
      undefined,
      token,
    )
    expect(job.title).toBe('Decision balance → 1 access point')
    const device = await Device.of(environment, apId)
    const answers = new Map<string, object>()
    for (const { id, command } of await device.all(3)) {
      const moved = !command.includes('client-2')
      answers.set(command, moved ? { moved, status: 0 } : { moved, status: 1 })
      await device.report(id, 'succeeded', answers.get(command))
    }
    await expect
      .poll(async () => (await decisions.get(made.id)).commands.map(({ state }) => state), soon)
      .toEqual(['succeeded', 'succeeded', 'succeeded'])
    const record = await decisions.get(made.id)
    expect(record.commands.map(({ result }) => result)).toEqual(
      commands.map(({ command }) => answers.get(command)),
    )
    // It is found by each of the clients.
    for (const client of ['client-1', 'client-3'])
      expect((await decisions.list(`client=${client}&ap_id=${apId}`)).map(({ id }) => id)).toEqual([made.id])
    expect(await decisions.list(`client=client-4&ap_id=${apId}`)).toEqual([])
  })

  it('names the access points that do not exist or do not accept the command', async () => {
    const listing = await agent(environment, { commands: ['reboot'] })
    const { token } = await app(environment)
    const refused = await decisions.create(decisionOf([listing, 'nowhere'], { mode: 'act' }), token)
    expect(refused).toMatchObject({
      state: 'refused',
      commands: [
        { ap_id: listing, verdict: 'not_accepted' },
        { ap_id: 'nowhere', verdict: 'no_agent' },
      ],
    })
  })

  it('is created once by requests with the same key, also by concurrent ones, with its commands', async () => {
    const [apId, { token }] = [await agent(environment), await app(environment)]
    const key = uniqueName('key')
    const body = decisionOf([apId], { mode: 'act' })
    const made = await Promise.all(Array.from({ length: 5 }, () => decisions.create(body, token, key)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect((await decisions.create(body, token, key)).id).toBe(made[0]?.id)
    expect(await commandsOf(apId)).toBe(1)
    expect(await decisions.list(`ap_id=${apId}`)).toHaveLength(1)
    await environment.sql(`update decisions set created_at = now() - interval '25 hours' where id = $1`, [
      made[0]?.id,
    ])
    expect((await decisions.create(body, token, key)).id).not.toBe(made[0]?.id)
  })

  it('that reverts another is linked with it, and can revert it only once', async () => {
    const [apId, { token }] = [await agent(environment), await app(environment)]
    const first = await decisions.create(decisionOf([apId], { mode: 'act' }), token)
    const undo = decisionOf([apId], { mode: 'act', reverts: first.id })
    const second = await decisions.create(undo, token)
    expect(second).toMatchObject({ state: 'executed', reverts: first.id })
    expect(await decisions.get(first.id)).toMatchObject({ state: 'reverted', reverted_by: second.id })
    expect((await decisions.post(undo, token)).status).toBe(409)
    const other = await app(environment)
    expect((await decisions.post({ ...undo, reverts: second.id }, other.token)).status).toBe(404)
  })
})

describe('an app', () => {
  it('decides only about access points that its permissions cover', async () => {
    const [own, other] = [await agent(environment), await agent(environment)]
    const { token } = await app(environment, { agents: [own] })
    const named = (more: object) => decisions.post(decisionOf([own], more), token)
    const refused = [
      await named({ commands: [{ ap_id: other, command: 'x' }] }),
      await named({ expected: [{ ap_id: other, kpi: 'load_pct', from: null, to: 1 }] }),
      await named({ observed: [{ ap_id: other, kpi: 'load_pct', value: 1, at: '2026-11-17T12:00:00Z' }] }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    for (const { body } of refused) expect(body.detail).toContain(other)
    expect((await named({})).status).toBe(200)
  })

  it('without the right to send commands may propose, but not act', async () => {
    const apId = await agent(environment)
    const { token } = await app(environment, { scopes: ['decisions:write'] })
    expect((await decisions.post(decisionOf([apId], { mode: 'act' }), token)).status).toBe(403)
    expect((await decisions.post(decisionOf([apId]), token)).status).toBe(200)
    // Neither may it read or confirm.
    expect((await environment.request('GET', '/api/v1/decisions', undefined, token)).status).toBe(403)
  })

  it('reads its own decisions, as far as its permissions cover them now', async () => {
    const apId = await agent(environment)
    const [one, other] = [await app(environment), await app(environment)]
    const { id } = await decisions.create(decisionOf([apId]), one.token)
    expect((await decisions.list('', one.token)).map((each) => each.id)).toEqual([id])
    expect(await decisions.list('', other.token)).toEqual([])
    const read = (token: string) => environment.request('GET', `/api/v1/decisions/${id}`, undefined, token)
    expect((await read(other.token)).status).toBe(404)
    await environment.request('PUT', `/api/v1/third_party_apps/${one.name}`, {
      permissions: { scopes: ['decisions:read'], agents: ['elsewhere'] },
    })
    const again = await tokenOf(environment.url, 'third_party_app', one.name, 'k')
    expect([(await read(again)).status, await decisions.list('', again)]).toEqual([404, []])
  })

  it('has at most a number of open proposals, and of decisions within an hour', async () => {
    const [apId, { name, token }] = [await agent(environment), await app(environment)]
    // The oldest has the lowest id and the lowest number. The order of concurrent requests is not defined.
    await decisions.create(decisionOf([apId]), token)
    const proposals = await Promise.all(
      Array.from({ length: 6 }, () => decisions.post(decisionOf([apId]), token)),
    )
    expect(proposals.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(proposals.filter(({ status }) => status === 409)).toHaveLength(3)
    for (let n = 0; n < 8; n++) await decisions.create(decisionOf([apId], { mode: 'watch' }), token)
    const { status, headers, body } = await decisions.post(decisionOf([apId], { mode: 'watch' }), token)
    expect([status, body.detail]).toEqual([429, expect.stringContaining('within an hour')])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
    await environment.sql(
      `update decisions set created_at = now() - interval '2 hours' where owner_name = $1`,
      [name],
    )
    const before = await decisions.list('', token)
    await decisions.create(decisionOf([apId], { mode: 'watch' }), token)
    // The oldest is deleted.
    const kept = await decisions.list('', token)
    expect(kept.slice(1)).toEqual(before.slice(0, -1))
  })

  it('has its concurrent decisions counted all', async () => {
    const [apId, { name, token }] = [await agent(environment), await app(environment)]
    const watch = decisionOf([apId], { mode: 'watch' })
    // Each waits for the others: with more at once, a slow disk would exceed the time limit of queries.
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 4 }, () => decisions.create(watch, token)))
    expect((await decisions.post(watch, token)).status).toBe(429)
    // As if all had waited for one that began later: they have its time. The row of the first is written last.
    const at = new Date().toISOString()
    for (const isFirst of [false, true])
      await environment.sql(
        'update decisions set created_at = $2 where owner_name = $1 and (owner_seq = 1) = $3',
        [name, at, isFirst],
      )
    expect((await decisions.post(watch, token)).status).toBe(429)
  })
})

describe('a proposal', () => {
  it('is executed when an operator confirms it, with the priority of the app', async () => {
    const [apId, operator] = [await agent(environment), await userToken(['operator'])]
    const [weak, strong] = [await app(environment, { priority: 1 }), await app(environment, { priority: 5 })]
    const first = await decisions.create(decisionOf([apId]), weak.token)
    const second = await decisions.create(decisionOf([apId]), strong.token)
    const confirmed = await decisions.decide(first.id, 'confirm', operator)
    expect([confirmed.status, confirmed.body]).toEqual([
      200,
      expect.objectContaining({
        state: 'executed',
        decided_by: expect.stringContaining('@decisions.test'),
        commands: [expect.objectContaining({ verdict: 'granted', state: 'queued' })],
      }),
    ])
    // A higher priority takes the access point over: the undelivered command of the other app is superseded.
    expect((await decisions.decide(second.id, 'confirm', operator)).status).toBe(200)
    expect((await decisions.get(first.id)).commands).toMatchObject([
      { verdict: 'granted', state: 'superseded' },
    ])
    expect(await decisions.eventsOf(apId)).toEqual(['executed', 'executed', 'proposed', 'proposed'])
  })

  it('that the arbiter refuses stays open, with the verdicts', async () => {
    const apId = await agent(environment)
    const [first, second] = [await app(environment), await app(environment)]
    await decisions.create(decisionOf([apId], { mode: 'act' }), first.token)
    const { id } = await decisions.create(decisionOf([apId]), second.token)
    const { status, body } = await decisions.decide(id, 'confirm')
    expect([status, body.detail]).toEqual([409, expect.stringContaining('holds this access point')])
    expect(await decisions.get(id)).toMatchObject({
      state: 'proposed',
      commands: [{ verdict: 'held', job_number: null }],
    })
    await environment.sql(`update command_holds set until = now() where ap_id = $1`, [apId])
    expect((await decisions.decide(id, 'confirm')).body).toMatchObject({
      state: 'executed',
      commands: [{ verdict: 'granted', detail: null }],
    })
  })

  it('is confirmed once by two operators at the same time', async () => {
    const [apId, { token }] = [await agent(environment), await app(environment)]
    const { id } = await decisions.create(decisionOf([apId]), token)
    const operators = await Promise.all([userToken(['operator']), userToken(['operator'])])
    const answers = await Promise.all(operators.map((each) => decisions.decide(id, 'confirm', each)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await commandsOf(apId)).toBe(1)
    // A retry of the one who has confirmed it changes nothing.
    const winner = operators[answers.findIndex(({ status }) => status === 200)]
    expect((await decisions.decide(id, 'confirm', winner)).status).toBe(200)
    expect(await commandsOf(apId)).toBe(1)
  })

  it('that was rejected cannot be confirmed, and the other way round', async () => {
    const [apId, { token }] = [await agent(environment), await app(environment)]
    const [one, two] = [
      await decisions.create(decisionOf([apId]), token),
      await decisions.create(decisionOf([apId]), token),
    ]
    expect((await decisions.decide(one.id, 'reject')).body.state).toBe('rejected')
    expect((await decisions.decide(one.id, 'reject')).status).toBe(200)
    expect((await decisions.decide(one.id, 'confirm')).status).toBe(409)
    expect((await decisions.decide(two.id, 'confirm')).status).toBe(200)
    expect((await decisions.decide(two.id, 'reject')).status).toBe(409)
    expect(await commandsOf(apId)).toBe(1)
  })

  it('cannot be confirmed after its end, and expires', async () => {
    const [apId, { token }] = [await agent(environment), await app(environment)]
    const { id } = await decisions.create(decisionOf([apId], { expires_in_s: 3600 }), token)
    await environment.sql(`update decisions set expires_at = now() where id = $1`, [id])
    const { status, body } = await decisions.decide(id, 'confirm')
    expect([status, body.detail]).toEqual([409, expect.stringContaining('has expired')])
    await environment.sql(`update decisions set due_at = now() where id = $1`, [id])
    await expect.poll(async () => (await decisions.get(id)).state, soon).toBe('expired')
    expect(await decisions.eventsOf(apId)).toEqual(['expired', 'proposed'])
    expect(await commandsOf(apId)).toBe(0)
  })

  it('of an app with fewer permissions, or that was deleted, cannot be confirmed', async () => {
    const [apId, { name, token }] = [await agent(environment), await app(environment)]
    const { id } = await decisions.create(decisionOf([apId]), token)
    const permissions = { scopes: ['decisions:write'], agents: ['elsewhere'] }
    await environment.request('PUT', `/api/v1/third_party_apps/${name}`, { permissions })
    expect((await decisions.decide(id, 'confirm')).body.detail).toContain('permissions of the app')
    await environment.request('DELETE', `/api/v1/third_party_apps/${name}`)
    expect((await decisions.decide(id, 'confirm')).body.detail).toContain('was deleted')
    expect((await decisions.decide(id, 'reject')).status).toBe(200)
  })
})

describe('the list of decisions', () => {
  it('is filtered and paged, and exported as JSON lines', async () => {
    const [apId, { name, token }] = [await agent(environment), await app(environment)]
    const ids: string[] = []
    for (let n = 0; n < 3; n++)
      ids.unshift((await decisions.create(decisionOf([apId], { mode: 'watch' }), token)).id)
    const path = `/api/v1/decisions?owner=${name}&state=recorded&state=measured&limit=2`
    const first = await environment.request('GET', path)
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await environment.request('GET', next)
    expect(second.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
    expect(second.headers.get('link')).toBeNull()
    const earlier = new Date(Date.now() - 3_600_000).toISOString()
    expect(await decisions.list(`owner=${name}&to=${earlier}`)).toEqual([])
    expect(await decisions.list(`owner=${name}&from=${earlier}&limit=1`)).toHaveLength(1)
    const { body, headers } = await environment.request('GET', `/api/v1/decisions/export?ap_id=${apId}`)
    expect(headers.get('content-type')).toContain('application/x-ndjson')
    const lines = String(body).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)
    const wrong = await environment.request('GET', '/api/v1/decisions?after=x')
    expect(wrong.status).toBe(422)
  })

  it('is not for standard users, whose events show only the policy', async () => {
    const [apId, { token }] = [await agent(environment), await app(environment)]
    await decisions.create(
      decisionOf([apId], { commands: [{ ap_id: apId, command: 'set_key hunter2' }] }),
      token,
    )
    const user = await userToken(['user'])
    const list = await call(environment.url, 'GET', '/api/v1/decisions', { token: user })
    expect(list.status).toBe(403)
    const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}`, undefined, user)
    expect(body).toMatchObject([
      { kind: 'decision', text: expect.stringContaining(`change of ${apId}: balance`) },
    ])
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })
})
