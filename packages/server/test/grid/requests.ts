import { randomUUID } from 'node:crypto'
import { type Operation, type OperationId, operations, type QueryOf } from '@manc/contract'
import { call, type RequestOptions, uniqueName } from '@manc/harness'
import { Secrets } from '../../src/secrets.ts'
import { resetUser, subjects } from './accounts.ts'
import type { GridEnvironment } from './environment.ts'
import { Forgery } from './forgery.ts'
import { type CallerName, isKnown } from './names.ts'

interface Request extends Pick<RequestOptions, 'body' | 'form'> {
  /** Value of the path parameter, or of the first one. */
  name?: string
  /** Value of the second path parameter. */
  secondName?: string
  query?: string
  /** Instead of the header of the caller. */
  authorization?: string | undefined
}

type Make = (
  environment: GridEnvironment,
  caller: CallerName,
  authorization: string | undefined,
) => Request | Promise<Request>

/** Operations that need no input: their request is derived. */
type Bare = {
  [Id in OperationId]: (typeof operations)[Id] extends
    | { params: unknown }
    | { body: unknown }
    | { form: unknown }
    ? never
    : (typeof operations)[Id] extends { query: unknown }
      ? object extends QueryOf<Id>
        ? Id
        : never
      : Id
}[OperationId]

type Requests = Record<Exclude<OperationId, Bare>, Make> & Partial<Record<Bare, Make>>

/** For each operation with input a request that succeeds for allowed callers, however often it is sent. */
const requests: Requests = {
  logIn: () => ({ query: '?login_type=user', form: subjects.user }),
  // Of a session that no other cell uses.
  endSession: async (environment, caller, authorization) => ({
    authorization: isKnown(caller) ? await inNewSession(environment, authorization) : authorization,
  }),

  createUserPublic: () => ({ body: { ...newUser(), roles: ['admin'] } }),
  signUp: () => ({ body: newUser() }),
  confirmSignUp: async (environment) => ({ body: await unconfirmed(environment) }),
  recoverPassword: () => ({ body: { username: newUser().username } }),
  resetPassword: async (environment) => ({
    body: { token: await resetToken(environment), new_password: 'new-password' },
  }),
  createUser: () => ({ body: { ...newUser(), roles: [] } }),
  getUser: () => ({ name: subjects.user.username }),
  updateUser: () => ({ name: subjects.user.username, body: { password: subjects.user.password } }),
  deleteUser: async (environment, caller) => ({
    name: caller === 'user itself' ? subjects.user.username : await userToDelete(environment),
  }),

  createAgentPublic: () => ({ body: newAgent() }),
  createAgent: () => ({ body: newAgent() }),
  getAgent: () => ({ name: subjects.agent.ap_id }),
  getAgentRejections: () => ({ name: subjects.agent.ap_id }),
  listAgentConfigurations: () => ({ name: subjects.agent.ap_id }),
  getAgentConfiguration: () => ({ name: subjects.agent.ap_id, secondName: '1' }),
  updateAgent: () => ({ name: subjects.agent.ap_id, body: { configuration: { mode: 'new' } } }),
  deleteAgent: async (environment, caller) => ({
    name: caller === 'agent itself' ? subjects.agent.ap_id : await agentToDelete(environment),
  }),

  previewRollout: () => ({ body: { agents: [subjects.agent.ap_id], change: { mode: 'new' } } }),
  createRollout: async (environment) => ({
    body: { agents: [await agentToDelete(environment)], change: { mode: 'new' }, wait_s: 0 },
  }),
  getRollout: async (environment) => ({ name: await storedRollout(environment, 'completed') }),
  listRolloutAgents: async (environment) => ({ name: await storedRollout(environment, 'completed') }),
  pauseRollout: async (environment) => ({ name: await storedRollout(environment, 'running') }),
  resumeRollout: async (environment) => ({ name: await storedRollout(environment, 'stopped') }),
  undoRollout: async (environment) => ({ name: await storedRollout(environment, 'completed') }),

  createApp: () => ({ body: newApp() }),
  listApps: () => ({ query: '?limit=10' }),
  getApp: () => ({ name: subjects.app.app_name }),
  updateApp: () => ({ name: subjects.app.app_name, body: { api_key: subjects.app.api_key } }),
  deleteApp: async (environment, caller) => ({
    name: caller === 'app itself' ? subjects.app.app_name : await appToDelete(environment),
  }),

  sendUpdate: () => ({ body: { ap_id: subjects.agent.ap_id, payload: { clients: 1 } } }),

  getAgentData: () => ({ query: `?agent=${subjects.agent.ap_id}` }),
  getAgentMultiMetricData: () => ({ query: `?agent=${subjects.agent.ap_id}&metrics=clients` }),
  getAgentMetrics: () => ({ query: `?agent=${subjects.agent.ap_id}&window=1h` }),
  getTelemetrySeries: () => ({
    query: `?agent=${subjects.agent.ap_id}&metrics=clients&from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z`,
  }),
  getTelemetrySummary: () => ({
    query: '?technology=WiFi&metrics=clients&from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z',
  }),

  prometheusQuery: () => ({ query: '?query=clients' }),
  prometheusQueryForm: () => ({ form: { query: 'clients' } }),
  prometheusQueryRange: () => ({ query: '?query=clients&start=1700000000&end=1700003600&step=60' }),
  prometheusQueryRangeForm: () => ({
    form: { query: 'clients', start: '1700000000', end: '1700003600', step: '1m' },
  }),
  prometheusSeries: () => ({ query: '?match[]=clients' }),
  prometheusSeriesForm: () => ({ form: { 'match[]': 'clients' } }),
  prometheusLabels: () => ({}),
  prometheusLabelsForm: () => ({ form: { limit: '10' } }),
  prometheusLabelValues: () => ({ name: 'ap_id' }),

  getFleetChanges: () => ({ query: '?after=1.1.1.all' }),
  listFleetAgents: () => ({ query: '?state=online&limit=10' }),

  listEvents: () => ({ query: '?kind=online&severity=info&limit=10' }),

  // An agent of its own each time: who has sent to one holds it for a while.
  sendCommand: async (environment) => ({
    query: `?agent_id=${await agentToDelete(environment)}&command=reboot`,
  }),
  sendCommands: async (environment) => ({
    body: { command: 'reboot', agents: [await agentToDelete(environment)] },
  }),
  subscribeAgentData: () => ({ query: `?agent_id=${subjects.agent.ap_id}` }),
  requestAgentData: () => ({
    query: `?agent_id=${subjects.agent.ap_id}&start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z`,
  }),

  spinUpEmulator: () => ({
    body: {
      emulators: [
        {
          access_point_type: 'LiFi',
          num_access_points: 1,
          locations: ['Bristol'],
          num_devices: 1,
          duration: 1,
        },
      ],
    },
  }),

  stopEmulation: async (environment, _caller, authorization) => ({
    name: await ownJob(environment, authorization, 'emulator_spinup'),
  }),

  postAgentData: () => ({ query: `?job_number=${uniqueName('job')}`, body: [1, 'a', null] }),
  postAgentDetails: () => ({ query: `?job_number=${uniqueName('job')}`, body: [{ ap_id: 'a' }] }),
  postEmulator: () => ({ query: `?job_number=${uniqueName('job')}`, body: [] }),
  getJob: async (environment, _caller, authorization) => ({ name: await ownJob(environment, authorization) }),
  listJobResults: async (environment, _caller, authorization) => ({
    name: await ownJob(environment, authorization),
  }),
  cancelJob: async (environment, _caller, authorization) => ({
    name: await ownJob(environment, authorization, 'agent_data', 'running'),
  }),

  listClients: () => ({ query: '?state=all&sort=since&limit=10' }),
  getClient: async (environment) => ({ name: await attachedClient(environment) }),
  listAgentClients: () => ({ name: subjects.agent.ap_id }),
  listAlarms: () => ({ query: '?state=all&severity=critical&limit=10' }),
  getAlarm: async (environment) => ({ name: await openAlarm(environment) }),
  acknowledgeAlarm: async (environment) => ({
    name: await openAlarm(environment),
    body: { comment: 'seen' },
  }),
  acknowledgeAlarms: async (environment) => ({ body: { ids: [await openAlarm(environment)] } }),
  assignAlarm: async (environment) => ({ name: await openAlarm(environment), body: { username: null } }),
  createAlarmRule: () => ({ body: newRule() }),
  previewAlarmRule: () => ({ body: newRule() }),
  updateAlarmRule: async (environment) => ({ name: await ruleToDelete(environment), body: newRule() }),
  deleteAlarmRule: async (environment) => ({ name: await ruleToDelete(environment) }),
  listSilences: () => ({ query: '?state=ended&limit=10' }),
  createSilence: () => ({ body: { comment: 'works', ap_ids: ['none'], ends_at: inAnHour() } }),
  updateSilence: async (environment) => ({
    name: await silenceToEnd(environment),
    body: { ends_at: inAnHour() },
  }),
  endSilence: async (environment) => ({ name: await silenceToEnd(environment) }),

  createDecision: () => ({
    body: {
      policy: 'grid',
      mode: 'advise',
      reason: 'a test',
      expected: [{ ap_id: subjects.agent.ap_id, kpi: 'load_pct', from: null, to: 50 }],
      commands: [{ ap_id: subjects.agent.ap_id, command: 'x' }],
    },
  }),
  listDecisions: () => ({ query: '?state=rejected&limit=10' }),
  getDecision: async (environment) => ({ name: await openProposal(environment) }),
  confirmDecision: async (environment) => ({ name: await openProposal(environment) }),
  rejectDecision: async (environment) => ({ name: await openProposal(environment) }),

  createExperiment: () => ({
    body: { name: 'grid', world: smallWorld, policies: ['none'], repetitions: 1 },
  }),
  createWhatIf: async (environment) => {
    await environment.sql(
      `update fleet set state = 'online', technology = 'WiFi', latitude = 51, longitude = -2 where ap_id = $1`,
      [subjects.agent.ap_id],
    )
    return { body: { agents: [subjects.agent.ap_id], policy: 'dawn', repetitions: 1 } }
  },
  getExperiment: async (environment, _caller, authorization) => ({
    name: (await ownExperiment(environment, authorization)).id,
  }),
  getExperimentRun: async (environment, _caller, authorization) => ({
    name: (await ownExperiment(environment, authorization)).id,
    secondName: '1',
  }),
  exportExperiment: async (environment, _caller, authorization) => ({
    name: (await ownExperiment(environment, authorization)).id,
  }),
  cancelExperiment: async (environment, _caller, authorization) => ({
    name: (await ownExperiment(environment, authorization)).id,
  }),
  deleteExperiment: async (environment, _caller, authorization) => ({
    name: (await ownExperiment(environment, authorization)).id,
  }),
  postExperimentRun: async (environment, _caller, authorization) => ({
    body: {
      run_id: (await ownExperiment(environment, authorization)).runId,
      emulator: randomUUID(),
      state: 'started',
    },
  }),

  getView: async (environment, _caller, authorization) => ({
    name: await ownView(environment, authorization),
  }),
  createView: () => ({ body: newView }),
  updateView: async (environment, _caller, authorization) => ({
    name: await ownView(environment, authorization),
    body: newView,
  }),
  deleteView: async (environment, _caller, authorization) => ({
    name: await ownView(environment, authorization),
  }),

  createNotificationReceiver: () => ({ body: newReceiver() }),
  updateNotificationReceiver: async (environment) => ({
    name: await storedReceiver(environment),
    body: newReceiver(),
  }),
  deleteNotificationReceiver: async (environment) => ({ name: await storedReceiver(environment) }),
  rotateNotificationSecret: async (environment) => ({ name: await storedReceiver(environment) }),
  testNotificationReceiver: async (environment) => ({ name: await storedReceiver(environment) }),
  createNotificationRoute: async (environment) => ({ body: newRoute(await storedReceiver(environment)) }),
  updateNotificationRoute: async (environment) => {
    const receiver = await storedReceiver(environment)
    return { name: await storedRoute(environment, receiver), body: newRoute(receiver) }
  },
  deleteNotificationRoute: async (environment) => ({
    name: await storedRoute(environment, await storedReceiver(environment)),
  }),
  getNotificationDelivery: async (environment) => ({ name: await failedDelivery(environment) }),
  retryNotificationDelivery: async (environment) => ({ name: await failedDelivery(environment) }),

  createEnrolmentToken: () => ({ body: {} }),
  deleteEnrolmentToken: async (environment) => ({ name: await enrolmentTokenToDelete(environment) }),

  listAudit: () => ({ query: '?action=user.create&limit=10' }),
}

/** The request of one cell: method, path and body. */
export async function requestOf(
  environment: GridEnvironment,
  id: OperationId,
  caller: CallerName,
  authorization: string | undefined,
) {
  const { method, path }: Operation = operations[id]
  const made = await requests[id]?.(environment, caller, authorization)
  const {
    name = '',
    secondName = '',
    query = '',
    authorization: header = authorization,
    ...sent
  } = made ?? {}
  const headers = header === undefined ? {} : { authorization: header }
  const located = [name, secondName].reduce(
    (before, each) => before.replace(/\{\w+\}/, encodeURIComponent(each)),
    path as string,
  )
  return { method, path: located + query, sent, headers }
}

/** The same token with another session id. Setup and enrolment tokens have none. */
async function inNewSession(environment: GridEnvironment, authorization = ''): Promise<string> {
  const token = authorization.slice('Bearer '.length)
  if (!token.includes('.')) return authorization
  const forgery = new Forgery(token, environment.variables['MANC_TOKEN_KEY'] ?? '')
  return `Bearer ${await forgery.make({ claims: { sid: randomUUID() } })}`
}

const newUser = () => ({
  username: `${uniqueName('new')}@grid.test`,
  password: 'new-password',
})
const newAgent = () => ({ ap_id: uniqueName('new'), password: 'p', configuration: {} })
const newApp = () => ({ app_name: uniqueName('new'), api_key: 'k', permissions: {} })

async function userToDelete(environment: GridEnvironment): Promise<string> {
  const user = newUser()
  await environment.createRecord('/api/v1/users/', { ...user, roles: [] })
  return user.username
}

async function agentToDelete(environment: GridEnvironment): Promise<string> {
  const agent = newAgent()
  await environment.createRecord('/api/v1/agents/', agent)
  return agent.ap_id
}

async function appToDelete(environment: GridEnvironment): Promise<string> {
  const app = newApp()
  await environment.createRecord('/api/v1/third_party_apps/', app)
  return app.app_name
}

async function enrolmentTokenToDelete(environment: GridEnvironment): Promise<string> {
  const made = await environment.createRecord('/api/v1/enrolment_tokens', {})
  return made?.id ?? 'none'
}

const newRule = () => ({
  name: uniqueName('rule'),
  severity: 'info',
  metric: 'clients',
  raise_op: '>=',
  raise_threshold: 1e9,
})

async function ruleToDelete(environment: GridEnvironment): Promise<string> {
  const id = uniqueName('rule')
  await environment.sql(
    `insert into alarm_rules (id, name, severity, metric, raise_op, raise_threshold, raise_for_s, clear_for_s,
       technologies, ap_ids, is_enabled, is_builtin)
     values ($1, 'a rule', 'info', 'clients', '>=', 1e9, 60, 60, '{}', '{}', true, false)`,
    [id],
  )
  return id
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function silenceToEnd(environment: GridEnvironment): Promise<string> {
  const [silence] = await environment.sql(
    `insert into silences (id, comment, rule_ids, technologies, ap_ids, starts_at, ends_at, owner, created_by)
     values (gen_random_uuid(), 'works', '{}', '{}', '{none}', now(), now() + interval '1 hour', gen_random_uuid(), 'x')
     returning id`,
  )
  return silence.id
}

/** Of a user who was deleted. */
async function openProposal(environment: GridEnvironment): Promise<string> {
  const [proposal] = await environment.sql(
    `with proposal as (
       insert into decisions (id, owner, owner_kind, owner_name, owner_seq, policy, mode, state, reason, observed, expected,
         expires_at)
       values (gen_random_uuid(), gen_random_uuid(), 'user', 'x', 1, 'grid', 'advise', 'proposed', 'a test', '[]',
         '[{"ap_id": "x", "kpi": "load_pct", "from": null, "to": 1}]', now() + interval '1 hour') returning id),
     command as (
       insert into decision_commands (decision_id, n, ap_id, command) select id, 1, $1, 'x' from proposal)
     select id from proposal`,
    [subjects.agent.ap_id],
  )
  return proposal.id
}

/** Of an agent and a rule that exist: others would be cleared. */
async function attachedClient(environment: GridEnvironment): Promise<string> {
  const id = uniqueName('client')
  await environment.sql(
    `insert into clients (id, ap_id, is_attached, technology, since, claimed_at)
     values ($1, $2, true, 'WiFi', now(), now())`,
    [id, subjects.agent.ap_id],
  )
  return id
}

async function openAlarm(environment: GridEnvironment): Promise<string> {
  const [alarm] = await environment.sql(
    `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
     values ($1, 'a rule', 'info', 'clients', $2, 'WiFi') returning id::text as id`,
    [await ruleToDelete(environment), subjects.agent.ap_id],
  )
  return alarm.id
}

const newReceiver = () => ({ name: uniqueName('receiver'), type: 'webhook', url: 'https://hooks.grid.test/' })
const newRoute = (receiver: string) => ({ name: uniqueName('route'), receiver_id: receiver })

async function storedReceiver(environment: GridEnvironment): Promise<string> {
  const id = randomUUID()
  await environment.sql(
    `insert into notification_receivers (id, name, type, addresses, url, secret_sealed, is_enabled, updated_by)
     values ($1, 'a receiver', 'webhook', '{}', 'https://hooks.grid.test/', '\\x00', false, 'grid')`,
    [id],
  )
  return id
}

async function storedRoute(environment: GridEnvironment, receiver: string): Promise<string> {
  const id = randomUUID()
  await environment.sql(
    `insert into notification_routes (id, name, receiver_id, severities, technologies, ap_ids, rule_ids, emulated,
       group_by, group_wait_s, group_interval_s, notify_cleared, is_enabled, updated_by)
     values ($1, 'a route', $2, '{}', '{}', '{}', '{}', 'none', 'rule', 10, 300, true, false, 'grid')`,
    [id, receiver],
  )
  return id
}

async function failedDelivery(environment: GridEnvironment): Promise<string> {
  const id = randomUUID()
  await environment.sql(
    `insert into notification_deliveries (id, kind, receiver_id, receiver_name, type, subject, raised, cleared,
       content, status, give_up_at)
     values ($1, 'test', $2, 'a receiver', 'webhook', 'a test', 0, 0, '{"alarms": []}', 'failed', now())`,
    [id, await storedReceiver(environment)],
  )
  return id
}

/** A rollout without agents. No process works on it for an hour. */
async function storedRollout(environment: GridEnvironment, state: string): Promise<string> {
  const id = randomUUID()
  await environment.sql(
    `insert into rollouts (id, owner, owner_name, created_by, title, change, state, agents, pending, wait_s, max_failures,
       due_at)
     values ($1, $1, 'admin', 'admin', 'a rollout', '{}', $2, 0, 0, 0, 0, now() + interval '1 hour')`,
    [id, state],
  )
  return id
}

/** A job that belongs to the caller. No worker takes it. */
export async function ownJob(
  environment: GridEnvironment,
  authorization = '',
  kind = 'mailbox',
  state = 'open',
): Promise<string> {
  const jobNumber = uniqueName('own-job')
  const uid = uidIn(authorization)
  if (uid)
    await environment.sql(
      `insert into jobs (job_number, kind, owner, state, request, work_after, ends_by)
       values ($1, $3, $2, $4, '{}', now() + interval '1 hour', now())`,
      [jobNumber, uid, kind, state],
    )
  return jobNumber
}

/** The id of the caller in its token. */
function uidIn(authorization: string): string | undefined {
  const claims = /\.([\w-]+)\./.exec(authorization)?.[1] ?? ''
  return /"uid":"([0-9a-f-]{36})"/.exec(Buffer.from(claims, 'base64url').toString())?.[1]
}

const newView = { name: 'a view', columns: ['health', 'name'] }

/** A view of the caller, if it is a user. */
async function ownView(environment: GridEnvironment, authorization = ''): Promise<string> {
  const id = randomUUID()
  await environment.sql(
    `insert into saved_views (id, owner, name, is_shared, columns, sort, sort_order, filters)
     select $1, id, 'a view', false, '{health,name}', 'health', 'asc', '{}' from users where id = $2`,
    [id, uidIn(authorization) ?? null],
  )
  return id
}

const smallWorld = { access_points: [{ technology: 'WiFi', count: 1, clients: 1 }] }

/** Of a caller who is no user: none. */
async function ownExperiment(
  environment: GridEnvironment,
  authorization = '',
): Promise<{ id: string; runId: string }> {
  const [id, runId] = [randomUUID(), randomUUID()]
  await environment.sql(
    `with experiment as (
       insert into experiments (id, owner, owner_kind, owner_name, name, world, policies, documents, seed, repetitions, runs,
         expires_at)
       select $1, id, 'user', username, 'grid', $3, '["none"]', '[]', 'run', 1, 1, now() + interval '1 hour'
       from users where id = $2 returning id)
     insert into experiment_runs (id, experiment_id, run, policy, seed)
     select $4, id, 1, 'none', 'run-1' from experiment`,
    [id, uidIn(authorization) ?? null, JSON.stringify(smallWorld), runId],
  )
  return { id, runId }
}

/** A sign-up that has to be confirmed. */
async function unconfirmed(environment: GridEnvironment) {
  const { username, password } = newUser()
  // Not by the administrator: there may be none.
  const { status } = await call(environment.url, 'POST', '/api/v1/users/signup', {
    body: { username, password },
  })
  if (status !== 200) throw new Error(`sign-up was answered with ${status}`)
  await environment.sql(`update users set confirm_by = now() + interval '10 minutes' where username = $1`, [
    username,
  ])
  return { token: await tokenFor(environment, username), password }
}

const resetToken = (environment: GridEnvironment) => tokenFor(environment, resetUser.username)

/** Inserted into the table: a real token is only sent by e-mail. */
async function tokenFor(environment: GridEnvironment, username: string): Promise<string> {
  const token = uniqueName('reset-token')
  const { MANC_DATA_KEY: dataKey = '' } = environment.variables
  const hash = new Secrets({ dataKey }).fingerprint(token)
  await environment.sql(
    `insert into reset_tokens (user_id, hash, expires_at)
     select id, $1, now() + interval '10 minutes' from users where username = $2
     on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
    [hash, username],
  )
  return token
}
