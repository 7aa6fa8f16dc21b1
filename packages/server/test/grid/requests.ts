import { type Operation, type OperationId, operations, type QueryOf } from '@manc/contract'
import { type RequestOptions } from '@manc/harness'
import { Secrets } from '../../src/secrets.ts'
import type { CallerName } from './names.ts'
import { forgetful, themselves } from './people.ts'
import type { Site } from './site.ts'

interface Request extends Pick<RequestOptions, 'body' | 'form'> {
  /** What stands in the path. */
  name?: string
  query?: string
}

type Make = (site: Site, caller: CallerName, authorization: string | undefined) => Request | Promise<Request>

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
  logIn: () => ({ query: '?login_type=user', form: themselves.user }),

  createUserPublic: (site) => ({ body: { ...newUser(site), roles: ['admin'] } }),
  signUp: (site) => ({ body: newUser(site) }),
  recoverPassword: (site) => ({ body: { username: newUser(site).username } }),
  resetPassword: async (site) => ({ body: { token: await resetToken(site), new_password: 'new-password' } }),
  createUser: (site) => ({ body: { ...newUser(site), roles: [] } }),
  getUser: () => ({ name: themselves.user.username }),
  updateUser: () => ({ name: themselves.user.username, body: { password: themselves.user.password } }),
  deleteUser: async (site, caller) => ({
    name: caller === 'user itself' ? themselves.user.username : await userToDelete(site),
  }),

  createAgentPublic: (site) => ({ body: newAgent(site) }),
  createAgent: (site) => ({ body: newAgent(site) }),
  getAgent: () => ({ name: themselves.agent.ap_id }),
  updateAgent: () => ({ name: themselves.agent.ap_id, body: { configuration: { mode: 'new' } } }),
  deleteAgent: async (site, caller) => ({
    name: caller === 'agent itself' ? themselves.agent.ap_id : await agentToDelete(site),
  }),

  createApp: (site) => ({ body: newApp(site) }),
  listApps: () => ({ query: '?limit=10' }),
  getApp: () => ({ name: themselves.app.app_name }),
  updateApp: () => ({ name: themselves.app.app_name, body: { api_key: themselves.app.api_key } }),
  deleteApp: async (site, caller) => ({
    name: caller === 'app itself' ? themselves.app.app_name : await appToDelete(site),
  }),

  sendUpdate: () => ({ body: { ap_id: themselves.agent.ap_id, payload: { clients: 1 } } }),

  getAgentData: () => ({ query: `?agent=${themselves.agent.ap_id}` }),
  getAgentMultiMetricData: () => ({ query: `?agent=${themselves.agent.ap_id}&metrics=clients` }),
  getAgentMetrics: () => ({ query: `?agent=${themselves.agent.ap_id}&window=1h` }),

  getFleetChanges: () => ({ query: '?after=1.1.1.all' }),
  listFleetAgents: () => ({ query: '?state=online&limit=10' }),

  // An agent of its own each time: who has sent to one holds it for a while.
  sendCommand: async (site) => ({ query: `?agent_id=${await agentToDelete(site)}&command=reboot` }),
  sendCommands: async (site) => ({ body: { command: 'reboot', agents: [await agentToDelete(site)] } }),
  subscribeAgentData: () => ({ query: `?agent_id=${themselves.agent.ap_id}` }),
  requestAgentData: () => ({
    query: `?agent_id=${themselves.agent.ap_id}&start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z`,
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

  postAgentData: (site) => ({ query: `?job_number=${site.uniqueName('job')}`, body: [1, 'a', null] }),
  postAgentDetails: (site) => ({ query: `?job_number=${site.uniqueName('job')}`, body: [{ ap_id: 'a' }] }),
  postEmulator: (site) => ({ query: `?job_number=${site.uniqueName('job')}`, body: [] }),
  getJob: async (site, _caller, authorization) => ({ name: await ownJob(site, authorization) }),

  createEnrolmentToken: () => ({ body: {} }),
  deleteEnrolmentToken: async (site) => ({ name: await enrolmentTokenToDelete(site) }),

  listAudit: () => ({ query: '?action=user.create&limit=10' }),
}

/** The request of one cell: method, address and what to send. */
export async function requestOf(
  site: Site,
  id: OperationId,
  caller: CallerName,
  authorization: string | undefined,
) {
  const { method, path }: Operation = operations[id]
  const { name = '', query = '', ...sent } = (await requests[id]?.(site, caller, authorization)) ?? {}
  return { method, path: path.replace(/\{\w+\}/, encodeURIComponent(name)) + query, sent }
}

const newUser = (site: Site) => ({
  username: `${site.uniqueName('new')}@grid.test`,
  password: 'new-password',
})
const newAgent = (site: Site) => ({ ap_id: site.uniqueName('new'), password: 'p', configuration: {} })
const newApp = (site: Site) => ({ app_name: site.uniqueName('new'), api_key: 'k', permissions: {} })

async function userToDelete(site: Site): Promise<string> {
  const user = newUser(site)
  await site.furnish('/api/v1/users/', { ...user, roles: [] })
  return user.username
}

async function agentToDelete(site: Site): Promise<string> {
  const agent = newAgent(site)
  await site.furnish('/api/v1/agents/', agent)
  return agent.ap_id
}

async function appToDelete(site: Site): Promise<string> {
  const app = newApp(site)
  await site.furnish('/api/v1/third_party_apps/', app)
  return app.app_name
}

async function enrolmentTokenToDelete(site: Site): Promise<string> {
  const made = await site.furnish('/api/v1/enrolment_tokens', {})
  return made?.id ?? 'none'
}

/** A job of the very caller, whoever that is. */
export async function ownJob(site: Site, authorization = ''): Promise<string> {
  const jobNumber = site.uniqueName('own-job')
  const claims = /\.([\w-]+)\./.exec(authorization)?.[1] ?? ''
  const uid = /"uid":"([0-9a-f-]{36})"/.exec(Buffer.from(claims, 'base64url').toString())?.[1]
  if (uid)
    await site.sql(
      `insert into jobs (job_number, kind, owner, state, request, ends_by) values ($1, 'mailbox', $2, 'open', '{}', now())`,
      [jobNumber, uid],
    )
  return jobNumber
}

/** Put where the service looks for it: the real one leaves the house by e-mail only. */
async function resetToken(site: Site): Promise<string> {
  const token = site.uniqueName('reset-token')
  const { MANC_DATA_KEY: dataKey = '' } = site.variables
  const hash = new Secrets({ dataKey }).fingerprint(token)
  await site.sql(
    `insert into reset_tokens (user_id, hash, expires_at)
     select id, $1, now() + interval '10 minutes' from users where username = $2
     on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
    [hash, forgetful.username],
  )
  return token
}
