import { type AuditRecord, type Operation, type OperationId, operations } from '@manc/contract'
import { admin, call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, expect } from 'vitest'

const inbox = await startMailInbox()
const it = test.override('variables', {
  MANC_SMTP_URL: inbox.url,
  MANC_SIGNUP: 'confirmed',
  MANC_EXPERIMENTS: '100',
})
afterAll(() => inbox.stop())

interface Change {
  /** In place of the parameter in the path. */
  name?: string
  query?: string
  body?: unknown
  /** In place of the administrator's token; null for none. */
  token?: string | null
  entry: Pick<AuditRecord, 'action'> & Partial<Pick<AuditRecord, 'actor_kind' | 'actor' | 'target'>>
}

type ChangingOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends 'GET' ? never : Id
}[OperationId]

/** Every operation but reads, with a request that changes something and the entry it must write; null if it changes nothing. */
const changes: Record<ChangingOperationId, ((environment: TestEnvironment) => Promise<Change>) | null> = {
  // Logins are counted: test/abuse/audit-flood.test.ts.
  logIn: null,
  renewToken: null,
  endSession: async (environment) => ({
    token: await tokenOf(environment.url, 'user', admin.username, admin.password),
    entry: { action: 'logout', target: admin.username },
  }),
  createUserPublic: async () => {
    const user = newUser()
    return { body: user, entry: { action: 'user.create', target: user.username } }
  },
  signUp: async () => {
    const { roles: _roles, ...user } = newUser()
    const entry = {
      action: 'user.create',
      target: user.username,
      actor_kind: 'anonymous',
      actor: '127.0.0.1',
    }
    return { body: user, token: null, entry }
  },
  confirmSignUp: async ({ url }) => {
    const { username, password } = newUser()
    await call(url, 'POST', '/api/v1/users/signup', { body: { username, password } })
    const body = { token: await inbox.confirmationTokenFor(username), password }
    const entry = {
      action: 'user.confirm',
      target: username,
      actor_kind: 'confirmation-token',
      actor: username,
    }
    return { body, token: null, entry }
  },
  // Only sends an e-mail.
  recoverPassword: null,
  resetPassword: async (environment) => {
    const { username } = await create(environment, 'users', newUser())
    await environment.request('POST', '/api/v1/users/password-recovery', { username })
    const body = { token: await inbox.resetTokenFor(username), new_password: 'another-password' }
    const entry = {
      action: 'user.reset-password',
      target: username,
      actor_kind: 'reset-token',
      actor: username,
    }
    return { body, token: null, entry }
  },
  createUser: async () => {
    const user = newUser()
    return { body: user, entry: { action: 'user.create', target: user.username } }
  },
  updateUser: async (environment) => {
    const { username } = await create(environment, 'users', newUser())
    const body = { roles: ['operator'] }
    return { name: username, body, entry: { action: 'user.update', target: username } }
  },
  deleteUser: async (environment) => {
    const { username } = await create(environment, 'users', newUser())
    return { name: username, entry: { action: 'user.delete', target: username } }
  },

  createAgentPublic: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/enrolment_tokens', {})
    const agent = newAgent()
    const entry = { action: 'agent.create', target: agent.ap_id, actor_kind: 'enrolment', actor: '127.0.0.1' }
    return { body: agent, token: body.token, entry }
  },
  createAgent: async () => {
    const agent = newAgent()
    return { body: agent, entry: { action: 'agent.create', target: agent.ap_id } }
  },
  updateAgent: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    const body = { configuration: { mode: 'another' } }
    return { name: apId, body, entry: { action: 'agent.update', target: apId } }
  },
  deleteAgent: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    return { name: apId, entry: { action: 'agent.delete', target: apId } }
  },

  createApp: async () => {
    const app = newApp()
    return { body: app, entry: { action: 'app.create', target: app.app_name } }
  },
  updateApp: async (environment) => {
    const { app_name: name } = await create(environment, 'third_party_apps', newApp())
    const body = { permissions: { priority: 7 } }
    return { name, body, entry: { action: 'app.update', target: name } }
  },
  deleteApp: async (environment) => {
    const { app_name: name } = await create(environment, 'third_party_apps', newApp())
    return { name, entry: { action: 'app.delete', target: name } }
  },

  // Samples that a user sends in place of an agent.
  sendUpdate: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    const body = { ap_id: apId, payload: { clients: 1 } }
    return { body, entry: { action: 'agent.send-samples', target: apId } }
  },
  sendCommand: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    const query = `?agent_id=${apId}&command=reboot`
    return { query, entry: { action: 'agent.command', target: apId } }
  },
  sendCommands: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    return { body: { command: 'reboot', agents: [apId] }, entry: { action: 'agents.command' } }
  },
  spinUpEmulator: async () => {
    const emulator = { access_point_type: 'LiFi', num_access_points: 1, num_devices: 1, duration: 1 }
    const body = { emulators: [{ ...emulator, locations: ['51.4545,-2.5879'] }] }
    return { body, entry: { action: 'emulator.spin-up' } }
  },
  stopEmulation: async (environment) => {
    const emulator = { access_point_type: 'LiFi', num_access_points: 1, num_devices: 1, duration: 60 }
    const { body } = await environment.request('POST', '/api/v1/emulator/spinup', {
      emulators: [{ ...emulator, locations: ['51.4545,-2.5879'] }],
    })
    return { name: body.job_number, entry: { action: 'emulator.stop', target: body.job_number } }
  },
  previewRollout: null,
  createRollout: async (environment) => {
    const apId = await newAgentId(environment)
    return { body: { agents: [apId], change: { a: 1 }, wait_s: 0 }, entry: { action: 'rollout.create' } }
  },
  pauseRollout: async (environment) => {
    const id = await newRollout(environment)
    return { name: id, entry: { action: 'rollout.pause', target: id } }
  },
  resumeRollout: async (environment) => {
    const id = await newRollout(environment)
    await environment.request('POST', `/api/v1/rollouts/${id}/pause`)
    return { name: id, entry: { action: 'rollout.resume', target: id } }
  },
  undoRollout: async (environment) => {
    const id = await newRollout(environment)
    return { name: id, entry: { action: 'rollout.undo', target: id } }
  },
  cancelJob: async (environment) => {
    const apId = await newAgentId(environment)
    const path = `/api/v1/send_command?agent_id=${apId}&command=reboot`
    const { body } = await environment.request('POST', path)
    return { name: body.job_number, entry: { action: 'job.cancel', target: body.job_number } }
  },

  createEnrolmentToken: async () => ({ body: {}, entry: { action: 'enrolment-token.create' } }),
  deleteEnrolmentToken: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/enrolment_tokens', {})
    return { name: body.id, entry: { action: 'enrolment-token.delete', target: body.id } }
  },

  acknowledgeAlarm: async (environment) => {
    const id = await openAlarm(environment)
    return { name: id, body: { comment: 'seen' }, entry: { action: 'alarm.acknowledge', target: id } }
  },
  acknowledgeAlarms: async (environment) => {
    const ids = [await openAlarm(environment), await openAlarm(environment)]
    return { body: { ids }, entry: { action: 'alarms.acknowledge', target: '*' } }
  },
  assignAlarm: async (environment) => {
    const id = await openAlarm(environment)
    return { name: id, body: { username: null }, entry: { action: 'alarm.assign', target: id } }
  },
  createAlarmRule: async () => ({ body: newRule(), entry: { action: 'alarm-rule.create' } }),
  updateAlarmRule: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/alarm_rules', newRule())
    return { name: body.id, body: newRule(), entry: { action: 'alarm-rule.update', target: body.id } }
  },
  deleteAlarmRule: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/alarm_rules', newRule())
    return { name: body.id, entry: { action: 'alarm-rule.delete', target: body.id } }
  },
  createSilence: async () => ({ body: newSilence(), entry: { action: 'silence.create' } }),
  updateSilence: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/silences', newSilence())
    const comment = 'takes longer'
    return { name: body.id, body: { comment }, entry: { action: 'silence.update', target: body.id } }
  },
  endSilence: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/silences', newSilence())
    return { name: body.id, entry: { action: 'silence.end', target: body.id } }
  },
  createDecision: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    return { body: newDecision(apId, 'act'), entry: { action: 'agents.command' } }
  },
  confirmDecision: async (environment) => {
    const { id } = await proposal(environment)
    return { name: id, entry: { action: 'decision.confirm', target: id } }
  },
  rejectDecision: async (environment) => {
    const { id } = await proposal(environment)
    return { name: id, entry: { action: 'decision.reject', target: id } }
  },
  createExperiment: async () => ({ body: newExperiment(), entry: { action: 'experiment.create' } }),
  createWhatIf: async (environment) => {
    const { ap_id: apId } = await create(environment, 'agents', newAgent())
    await environment.sql(
      `update fleet set state = 'online', technology = 'WiFi', latitude = 51, longitude = -2 where ap_id = $1`,
      [apId],
    )
    return { body: { agents: [apId], policy: 'dawn' }, entry: { action: 'experiment.create' } }
  },
  cancelExperiment: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/experiments', newExperiment())
    return { name: body.id, entry: { action: 'experiment.cancel', target: body.id } }
  },
  deleteExperiment: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/experiments', newExperiment())
    return { name: body.id, entry: { action: 'experiment.delete', target: body.id } }
  },
  createView: async () => ({ body: newView(), entry: { action: 'view.create' } }),
  updateView: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/views', newView())
    return { name: body.id, body: newView(), entry: { action: 'view.update', target: body.id } }
  },
  deleteView: async (environment) => {
    const { body } = await environment.request('POST', '/api/v1/views', newView())
    return { name: body.id, entry: { action: 'view.delete', target: body.id } }
  },
  createNotificationReceiver: async () => ({
    body: newReceiver(),
    entry: { action: 'notification-receiver.create' },
  }),
  updateNotificationReceiver: async (environment) => {
    const id = await receiver(environment)
    return { name: id, body: newReceiver(), entry: { action: 'notification-receiver.update', target: id } }
  },
  deleteNotificationReceiver: async (environment) => {
    const id = await receiver(environment)
    return { name: id, entry: { action: 'notification-receiver.delete', target: id } }
  },
  rotateNotificationSecret: async (environment) => {
    const id = await receiver(environment)
    return { name: id, entry: { action: 'notification-receiver.rotate-secret', target: id } }
  },
  testNotificationReceiver: async (environment) => {
    const id = await receiver(environment)
    return { name: id, entry: { action: 'notification-receiver.test', target: id } }
  },
  createNotificationRoute: async (environment) => ({
    body: newRoute(await receiver(environment)),
    entry: { action: 'notification-route.create' },
  }),
  updateNotificationRoute: async (environment) => {
    const body = newRoute(await receiver(environment))
    const { body: route } = await environment.request('POST', '/api/v1/notification_routes', body)
    return { name: route.id, body, entry: { action: 'notification-route.update', target: route.id } }
  },
  deleteNotificationRoute: async (environment) => {
    const body = newRoute(await receiver(environment))
    const { body: route } = await environment.request('POST', '/api/v1/notification_routes', body)
    return { name: route.id, entry: { action: 'notification-route.delete', target: route.id } }
  },
  retryNotificationDelivery: async (environment) => {
    const path = `/api/v1/notification_receivers/${await receiver(environment)}/test`
    const { body } = await environment.request('POST', path)
    await environment.sql(
      `update notification_deliveries set status = 'failed', next_attempt_at = null where id = $1`,
      [body.id],
    )
    return { name: body.id, entry: { action: 'notification-delivery.retry', target: body.id } }
  },

  // Reads, and results of jobs.
  previewAlarmRule: null,
  requestAllAgentsDetails: null,
  requestAgentData: null,
  subscribeAgentData: null,
  postAgentData: null,
  postAgentDetails: null,
  postEmulator: null,
  postExperimentRun: null,
  prometheusQueryForm: null,
  prometheusQueryRangeForm: null,
  prometheusSeriesForm: null,
  prometheusLabelsForm: null,
}

const changing = (Object.keys(changes) as ChangingOperationId[]).filter((id) => changes[id] !== null)

it.for(changing)('%s writes one audit entry', async (id, { environment }) => {
  const change = await changes[id]?.(environment)
  if (!change) throw new Error(`${id} has no request`)
  const { name = '', query = '', body, token = environment.adminToken, entry } = change
  const { method, path }: Operation = operations[id]
  const response = await call(
    environment.url,
    method,
    path.replace(/\{\w+\}/, encodeURIComponent(name)) + query,
    {
      ...(token !== null && { token }),
      ...(body !== undefined && { body }),
    },
  )
  expect([response.status, response.body]).toEqual([200, expect.anything()])
  const requestId = response.headers.get('x-request-id')
  const { body: entries } = await environment.request('GET', '/api/v1/audit?limit=1000')
  const own = (entries as AuditRecord[]).filter(({ request_id }) => request_id === requestId)
  const target = response.body.job_number ?? response.body.id
  expect(own).toEqual([
    expect.objectContaining({ actor_kind: 'user', actor: admin.username, target, ...entry }),
  ])
})

const newUser = () => ({
  username: `${uniqueName('audited')}@example.test`,
  password: 'a-password',
  roles: ['user'],
})
const newAgent = () => ({ ap_id: uniqueName('audited'), password: 'p', configuration: {} })
const newApp = () => ({ app_name: uniqueName('audited'), api_key: 'k', permissions: {} })

const newRule = () => ({
  name: uniqueName('audited'),
  severity: 'info',
  metric: 'clients',
  raise_op: '>=',
  raise_threshold: 1e9,
})

const newSilence = () => ({
  comment: 'new antenna',
  ap_ids: [uniqueName('audited')],
  ends_at: new Date(Date.now() + 3_600_000).toISOString(),
})

const newDecision = (apId: string, mode: string) => ({
  policy: 'audited',
  mode,
  reason: 'a test',
  expected: [{ ap_id: apId, kpi: 'load_pct', from: 90, to: 60 }],
  commands: [{ ap_id: apId, command: 'reboot' }],
})

async function proposal(environment: TestEnvironment): Promise<{ id: string }> {
  const { ap_id: apId } = await create(environment, 'agents', newAgent())
  const { body } = await environment.request('POST', '/api/v1/decisions', newDecision(apId, 'advise'))
  return body
}

const newExperiment = () => ({
  name: uniqueName('audited'),
  world: { access_points: [{ technology: 'WiFi', count: 1, clients: 1 }] },
  policies: ['none'],
  repetitions: 1,
})

const newView = () => ({ name: uniqueName('audited'), columns: ['health', 'name'] })

const newReceiver = () => ({ name: uniqueName('audited'), type: 'webhook', url: 'https://hooks.audit.test/' })
const newRoute = (receiverId: string) => ({ name: uniqueName('audited'), receiver_id: receiverId })

async function receiver(environment: TestEnvironment): Promise<string> {
  const { body } = await environment.request('POST', '/api/v1/notification_receivers', newReceiver())
  return body.id
}

async function openAlarm(environment: TestEnvironment): Promise<string> {
  const { ap_id: apId } = await create(environment, 'agents', newAgent())
  const [alarm] = await environment.sql(
    `insert into alarms (rule_id, rule_name, severity, metric, ap_id, technology)
     values ('load_pct.bad', 'Load is bad', 'critical', 'load_pct', $1, 'WiFi') returning id::text as id`,
    [apId],
  )
  return alarm.id
}

async function create<T>(environment: TestEnvironment, kind: string, record: T): Promise<T> {
  const { status } = await environment.request('POST', `/api/v1/${kind}/`, record)
  expect(status).toBe(200)
  return record
}

async function newAgentId(environment: TestEnvironment): Promise<string> {
  const apId = uniqueName('audited')
  const agent = { ap_id: apId, password: 'a-password', configuration: {} }
  await environment.request('POST', '/api/v1/agents/', agent)
  return apId
}

/** Of two agents: after the first it waits. */
async function newRollout(environment: TestEnvironment): Promise<string> {
  const agents = [await newAgentId(environment), await newAgentId(environment)]
  const { body } = await environment.request('POST', '/api/v1/rollouts', {
    agents,
    change: { a: 1 },
    wait_s: 3600,
  })
  return body.id
}
