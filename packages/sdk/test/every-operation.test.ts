import { type Operation, operations } from '@manc/contract'
import { admin, createEnvironment, type Replica, startReplica, type TestEnvironment } from '@manc/harness'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import { operationsOf, servedOperations } from '@manc/harness/served-operations'
import { Manc } from '@manc/sdk'
import { AgentHttp } from '@manc/sdk/agent'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { recordingFetch } from './recording-fetch.ts'

let environment: TestEnvironment
let mailbox: MailInbox
let server: Replica

/** At first there is no administrator, and a setup token in the log: also where it is repeated. */
beforeEach(async () => {
  environment = await createEnvironment(inject('engines'))
  mailbox = await startMailInbox()
  const {
    MANC_BOOTSTRAP_ADMIN_USERNAME: _name,
    MANC_BOOTSTRAP_ADMIN_PASSWORD: _password,
    ...variables
  } = environment.variables
  server = await startReplica({
    ...variables,
    MANC_ROLES: 'api,subscriber,ingester',
    MANC_SMTP_URL: mailbox.url,
    MANC_SIGNUP: 'confirmed',
    MANC_PUBLIC_URL: 'https://manc.example.test',
  })
})

afterEach(async () => {
  await server?.stop()
  await mailbox?.stop()
  await environment?.drop()
})

it('the SDK has a method for every operation of the served OpenAPI document, and each succeeds', async () => {
  const { send, succeeded } = recordingFetch()
  const setupToken = /Bearer (setup_[\w-]+)/.exec(server.logged())?.[1] ?? ''
  await new Manc({ url: server.url, fetch: send }).users.createFirst(
    { ...admin, roles: ['admin'] },
    setupToken,
  )
  const manc = new Manc({ url: server.url, credentials: admin, fetch: send })
  await people(manc)
  await agents(manc, send)
  await apps(manc)
  await alarms(manc)
  await clients(manc)
  await decisions(manc)
  await experiments(manc)
  await notifications(manc)
  await views(manc)
  await watching(manc)
  await generatedReads(manc)
  await manc.renewSession()
  await manc.endSession()
  const served = await servedOperations(server.url)
  expect(served.length).toBeGreaterThanOrEqual(41)
  expect(operationsOf(succeeded, served)).toEqual(served.toSorted())
}, 240_000)

/** Generated methods without arguments: a new list needs no line here. */
async function generatedReads(manc: Manc): Promise<void> {
  type Read = () => Promise<unknown> | AsyncGenerator
  const client = manc as unknown as Record<string, Record<string, Read>>
  for (const { sdk, method, params, query } of Object.values<Operation>(operations)) {
    if (sdk === undefined || method !== 'GET' || params || (query?.required ?? []).length > 0) continue
    const [resource = '', name = ''] = sdk.split('.')
    const answer = client[resource]?.[name]?.()
    if (answer === undefined) throw new Error(`the client has no ${sdk}`)
    if (Symbol.asyncIterator in answer) await answer.next()
    else await answer
  }
}

async function people(manc: Manc): Promise<void> {
  await manc.logIn()
  expect((await manc.users.me()).username).toBe(admin.username)
  const username = 'someone@manc.test'
  await manc.users.create({ username, password: 'some-password', roles: ['user'] })
  expect((await manc.users.get(username)).roles).toBe('user')
  expect((await manc.users.update(username, { roles: ['operator'] })).roles).toBe('operator')
  const names = await Array.fromAsync(manc.users.list())
  expect(names.map((user) => user.username)).toContain(username)
  expect((await manc.users.remove(username)).status).toBe('success')
  await manc.users.signUp({ username: 'guest@manc.test', password: 'some-password' })
  const confirmation = await mailbox.confirmationTokenFor('guest@manc.test')
  const confirmed = await manc.users.confirmSignUp({ token: confirmation, password: 'some-password' })
  expect(confirmed.username).toBe('guest@manc.test')
  await manc.users.recoverPassword('guest@manc.test')
  const token = await mailbox.resetTokenFor('guest@manc.test', 1)
  expect((await manc.users.resetPassword({ token, new_password: 'other-password' })).status).toBe('success')
  await expect(manc.users.resetPassword({ token, new_password: 'other-password' })).rejects.toMatchObject({
    name: 'Refused',
    status: 400,
  })
  // An administrator exists, so the setup token is not accepted.
  const first = { username: 'first@manc.test', password: 'some-password', roles: ['admin'] }
  await expect(manc.users.createFirst(first, 'not-a-setup-token')).rejects.toMatchObject({ status: 401 })
}

async function agents(manc: Manc, send: typeof fetch): Promise<void> {
  // With this interval it stays online for the whole test.
  const onboarded = { technology: 'WiFi', telemetry_interval_s: 3600 }
  await manc.agents.register({ ap_id: 'op-1', password: 'a-password', configuration: onboarded })
  const { token, id } = await manc.enrolment.create({ ap_id_pattern: 'op-*', max_uses: 2 })
  expect(await manc.enrolment.list()).toHaveLength(1)
  await manc.agents.enrol({ ap_id: 'op-2', password: 'a-password', configuration: {} }, token)
  await manc.enrolment.remove(id)
  expect((await manc.agents.get('op-2')).ap_id).toBe('op-2')
  expect((await manc.agents.rejections('op-2')).rejected).toEqual([])
  const [version] = await manc.agents.configurations('op-2')
  expect(version).toMatchObject({ version: 1, current: true })
  const { configuration } = await manc.agents.configuration('op-2', 1)
  expect((await manc.agents.restore('op-2', 1)).configuration).toEqual(configuration)
  await manc.agents.update('op-2', { configuration: { name: 'Hall' } })
  const listed = await Array.fromAsync(manc.agents.list())
  expect(listed.map(({ ap_id }) => ap_id)).toEqual(['op-1', 'op-2'])
  const reported = await Array.fromAsync(manc.agents.report())
  expect(reported.map(({ ap_id, online }) => [ap_id, online])).toEqual([
    ['op-1', false],
    ['op-2', false],
  ])
  await manc.agents.remove('op-2')
  const agent = new Manc({
    url: server.url,
    credentials: { loginType: 'agent', username: 'op-1', password: 'a-password' },
    fetch: send,
  })
  expect((await agent.agents.sendUpdate({ payload: { clients: 3 } })).accepted).toBe(1)
}

async function apps(manc: Manc): Promise<void> {
  await manc.apps.register({ app_name: 'steering', api_key: 'a-key', permissions: {} })
  const registered = await Array.fromAsync(manc.apps.list())
  expect(registered.map(({ app_name }) => app_name)).toEqual(['steering'])
  await manc.apps.update('steering', { permissions: { priority: 2 } })
  expect((await manc.apps.get('steering')).permissions).toEqual({ priority: 2 })
  await manc.apps.remove('steering')
  const [last] = await Array.fromAsync(manc.audit.list({ actor: admin.username, target: 'STEER' }))
  expect(await Array.fromAsync(manc.audit.export({ actor: admin.username, target: 'STEER' }))).toContainEqual(
    last,
  )
  expect(last).toMatchObject({ action: 'app.delete', target: 'steering', actor: admin.username })
}

async function clients(manc: Manc): Promise<void> {
  await environment.sql(
    `insert into clients (id, ap_id, is_attached, technology, since, claimed_at)
     values ('c1', 'op-1', true, 'WiFi', now(), now())`,
  )
  expect(await manc.clients.get('c1')).toMatchObject({ ap_id: 'op-1', history: [], next: null })
  expect(await Array.fromAsync(manc.clients.ofAgent('op-1'))).toMatchObject([{ id: 'c1' }])
}

async function alarms(manc: Manc): Promise<void> {
  const [{ id }] = await environment.sql(
    `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
     values ('load_pct.bad', 'Load is bad', 'critical', 'load_pct', 'op-1', 'WiFi') returning id::text as id`,
  )
  expect((await manc.alarms.get(id)).state).toBe('open')
  expect((await manc.alarms.acknowledge(id, { comment: 'known' })).comment).toBe('known')
  expect(await manc.alarms.acknowledgeAll({ ids: [id, `1${id}`] })).toEqual({
    acknowledged: 1,
    not_acknowledged: [`1${id}`],
  })
  expect((await manc.alarms.assign(id, { username: admin.username })).assignee).toBe(admin.username)
  const rule = { name: 'Many clients', severity: 'info', metric: 'clients' } as const
  const condition = { raise_op: '>=', raise_threshold: 100 } as const
  expect((await manc.alarms.previewRule({ ...rule, ...condition })).alarms).toBe(0)
  const created = await manc.alarms.createRule({ ...rule, ...condition })
  const changed = await manc.alarms.updateRule(created.id, { ...rule, ...condition, raise_threshold: 200 })
  expect(changed.raise_threshold).toBe(200)
  await manc.alarms.removeRule(created.id)
  const recurrence = { days: ['sat' as const], at: '02:00', duration_min: 90, time_zone: 'Europe/Berlin' }
  const silence = await manc.alarms.silence({ comment: 'works', recurrence })
  expect((await manc.alarms.updateSilence(silence.id, { comment: 'more works' })).comment).toBe('more works')
  expect(await Array.fromAsync(manc.alarms.silences())).toMatchObject([{ id: silence.id }])
  await manc.alarms.endSilence(silence.id)
}

async function decisions(manc: Manc): Promise<void> {
  const given = {
    policy: 'balance',
    mode: 'advise',
    reason: 'op-1 is busy',
    expected: [{ ap_id: 'op-1', kpi: 'load_pct', from: 90, to: 60 }],
    commands: [{ ap_id: 'op-1', command: 'set_power 10' }],
  } as const
  const proposal = { ...given, expected: [...given.expected], commands: [...given.commands] }
  const idempotencyKey = crypto.randomUUID()
  const { id } = await manc.decisions.create(proposal, { idempotencyKey })
  expect((await manc.decisions.create(proposal, { idempotencyKey })).id).toBe(id)
  expect((await manc.decisions.get(id)).state).toBe('proposed')
  expect((await manc.decisions.reject(id)).state).toBe('rejected')
  const second = await manc.decisions.create(proposal)
  expect((await manc.decisions.confirm(second.id)).state).toBe('executed')
  expect((await Array.fromAsync(manc.decisions.list({ ap_id: 'op-1' }))).map((each) => each.id)).toEqual([
    second.id,
    id,
  ])
  expect(await Array.fromAsync(manc.decisions.export({ state: ['rejected'] }))).toMatchObject([{ id }])
}

async function experiments(manc: Manc): Promise<void> {
  const { id } = await manc.experiments.create({
    name: 'A comparison',
    world: { access_points: [{ technology: 'WiFi', count: 1, clients: 1 }] },
    policies: ['none'],
    repetitions: 1,
  })
  expect((await manc.experiments.get(id)).run_list).toMatchObject([{ policy: 'none', seed: 'run-1' }])
  const [run] = await environment.sql('select id from experiment_runs where experiment_id = $1', [id])
  const report = { run_id: run.id, emulator: crypto.randomUUID(), state: 'started' } as const
  await manc.callbacks.experimentRun(report)
  expect((await manc.experiments.getRun(id, 1)).state).toBe('running')
  expect(await Array.fromAsync(manc.experiments.export(id))).toEqual([
    expect.stringMatching(/^run,policy/),
    expect.stringMatching(/^1,none,run-1,running,/),
  ])
  const following = manc.experiments.follow(id)
  expect((await following.next()).value).toMatchObject({ state: 'running' })
  expect((await manc.experiments.cancel(id)).state).toBe('cancelled')
  expect((await Array.fromAsync(following)).map(({ state }) => state)).toEqual(['cancelled'])
  await manc.experiments.remove(id)
  await environment.sql(
    `update fleet set state = 'online', technology = 'WiFi', latitude = 51, longitude = -2 where ap_id = 'op-1'`,
  )
  const whatIf = await manc.experiments.whatIf({ agents: ['op-1'], policy: 'dawn' })
  expect(whatIf).toMatchObject({ kind: 'what_if', policies: ['none', 'dawn'], duration_s: 1800 })
}

async function notifications(manc: Manc): Promise<void> {
  const given = { name: 'Hook', type: 'webhook', url: 'https://hooks.sdk.test/' } as const
  const { id, secret } = await manc.notifications.createReceiver(given)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect((await manc.notifications.rotateSecret(id)).secret).not.toBe(secret)
  expect((await manc.notifications.updateReceiver(id, { ...given, name: 'Pager' })).name).toBe('Pager')
  const route = await manc.notifications.createRoute({ name: 'All', receiver_id: id })
  expect(route).toMatchObject({ group_by: 'rule', group_wait_s: 10, group_interval_s: 300, emulated: 'none' })
  await manc.notifications.updateRoute(route.id, { name: 'All', receiver_id: id, group_by: 'none' })
  await manc.notifications.removeRoute(route.id)
  const test = await manc.notifications.test(id)
  await environment.sql(
    `update notification_deliveries set status = 'failed', next_attempt_at = null where id = $1`,
    [test.id],
  )
  expect((await manc.notifications.retry(test.id)).kind).toBe('test')
  expect((await manc.notifications.delivery(test.id)).alarms).toEqual([])
  await manc.notifications.removeReceiver(id)
}

async function views(manc: Manc): Promise<void> {
  const given = { name: 'Broken', columns: ['health', 'name'] } as const
  const { id } = await manc.views.create({ ...given, columns: [...given.columns], shared: true })
  const changed = await manc.views.update(id, { name: 'Busy', columns: ['load_pct'], sort: 'load_pct' })
  expect(changed).toMatchObject({ name: 'Busy', shared: false, order: 'asc' })
  expect(await manc.views.get(id)).toEqual(changed)
  await manc.views.remove(id)
}

async function watching(manc: Manc): Promise<void> {
  const values = async () => {
    const { series } = await manc.telemetry.chart('op-1', ['clients'])
    return series[0]?.points.map(({ value }) => value)
  }
  await expect.poll(values, { timeout: 60_000 }).toEqual([3])
  expect((await manc.telemetry.all('op-1', { window: '1h' })).key).toBe('agent/op-1/data')
  expect((await manc.telemetry.metrics('op-1')).metrics.map(({ name }) => name)).toEqual(['clients'])
  const from = new Date(Date.now() - 300_000)
  const history = await Array.fromAsync(manc.telemetry.history('op-1', { from }))
  expect(history.map(({ field, value }) => [field, value])).toEqual([['clients', 3]])
  const period = await manc.telemetry.series('op-1', ['clients'], { from })
  expect(period.series[0]?.points.map(({ value }) => value)).toEqual([3])
  // It ends with the last whole step.
  const summary = async () =>
    (await manc.telemetry.summary({ technology: 'WiFi' }, ['clients'], { from, step: 1 })).series[0]
  await expect
    .poll(summary, { timeout: 60_000, interval: 500 })
    .toMatchObject({ metric: 'clients', spread: { agents: 1, p50: 3 } })

  expect((await manc.fleet.summary()).total).toBe(1)
  expect(await manc.fleet.changes('1.1.1.all')).toMatchObject({ is_complete: false, agents: [] })
  await expect
    .poll(() => manc.fleet.figures(), { timeout: 60_000 })
    .toMatchObject({ agents: 1, clients: 3, power_w: null })
  await expect
    .poll(() => manc.fleet.table({ technology: ['WiFi'], sort: 'clients', order: 'desc', limit: 1 }))
    .toMatchObject({ total: 1, rows: [{ ap_id: 'op-1', clients: 3 }] })
  expect(await manc.fleet.cells({ technology: ['WiFi'], loads: true })).toMatchObject({ total: 1, cells: [] })
  expect((await manc.fleet.trends()).technologies).toHaveLength(4)
  expect(await manc.fleet.mapLayers()).toEqual({ tiles: null, attribution: null, geojson: null })
  const there = await Array.fromAsync(manc.fleet.agents({ technology: ['WiFi'], search: 'op' }))
  expect(there.map(({ ap_id }) => ap_id)).toEqual(['op-1'])

  const selection = { agents: ['op-1'], change: { floor: 2 } }
  expect(await manc.rollouts.preview(selection)).toMatchObject({ agents: 1, unchanged: 0 })
  const { id: rollout } = await manc.rollouts.create({ ...selection, wait_s: 3600 })
  expect((await manc.rollouts.get(rollout)).state).toBe('running')
  expect(await Array.fromAsync(manc.rollouts.list())).toMatchObject([{ id: rollout }])
  expect(await Array.fromAsync(manc.rollouts.agents(rollout))).toMatchObject([{ ap_id: 'op-1' }])
  await manc.rollouts.pause(rollout)
  await manc.rollouts.resume(rollout)
  await manc.rollouts.undo(rollout)
  await expect.poll(async () => (await manc.rollouts.get(rollout)).state, { timeout: 60_000 }).toBe('undone')

  const number = crypto.randomUUID()
  await manc.callbacks.agentData(number, [1])
  await manc.callbacks.agentDetails(number, [{ two: 2 }])
  await manc.callbacks.emulator(number, [{ three: 3 }])
  const came: unknown[] = []
  for await (const { data } of manc.jobs.read(number)) if (came.push(data) === 3) break
  expect(came).toEqual([[1], [{ two: 2 }], [{ three: 3 }]])
  expect((await manc.jobs.get(number)).kind).toBe('mailbox')
  const kept = await Array.fromAsync(manc.jobs.results(number, { pageSize: 2 }))
  expect(kept.map(({ data }) => data)).toEqual(came)

  const live = manc.telemetry.watch(['op-1'])
  const next = live.next()
  const agent = new AgentHttp({ url: server.url, apId: 'op-1', password: 'a-password' })
  const isThere = next.then(() => true)
  while (!(await Promise.race([isThere, new Promise((resolve) => setTimeout(() => resolve(false), 300))])))
    await agent.send([{ ts: Date.now(), payload: { clients: 4 } }])
  expect((await next).value).toMatchObject({ agent_id: 'op-1', values: { clients: 4 } })
  await live.return(undefined)

  const sent = await manc.commands.send('op-1', 'reboot')
  expect(await manc.jobs.get(sent.jobNumber, { include: 'request' })).toMatchObject({
    kind: 'send_command',
    title: 'reboot → op-1',
    request: { agent_id: 'op-1', command: 'reboot' },
  })
  expect((await manc.jobs.cancel(sent.jobNumber)).status).toBe('success')
  const many = await manc.commands.sendToMany({ command: 'reboot', agents: ['op-1'] })
  expect([many.agents, many.skipped]).toEqual([1, 0])
  const emulation = await manc.emulator.spinUp([
    { access_point_type: 'LiFi', num_access_points: 2, locations: ['Bristol'], num_devices: 3, duration: 60 },
  ])
  expect(emulation.agents).toHaveLength(2)
  const kinds = (await Array.fromAsync(manc.jobs.list())).map(({ kind }) => kind)
  expect(kinds).toContain('emulator_spinup')
  const [started] = await Array.fromAsync(manc.events.export({ kind: ['emulation_started'] }))
  expect(started).toMatchObject({ subject: emulation.jobNumber, data: { agents: 2 } })
  const emulations = await Array.fromAsync(manc.emulations.list())
  expect(emulations.map(({ job_number: job }) => job)).toEqual([emulation.jobNumber])
  expect((await manc.emulations.stop(emulation.jobNumber)).status).toBe('success')
}
