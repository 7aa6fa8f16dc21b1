import { once } from 'node:events'
import { call, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { expect, inject } from 'vitest'
import WebSocket from 'ws'

/** Pattern of an app → the agents that it covers. */
const covered = {
  'pp-lab-west': ['pp-lab-west'],
  'pp-lab-*': ['pp-lab-1-west', 'pp-lab-1-west-2', 'pp-lab-west', 'pp-lab-west-2'],
  '*-west': ['pp-lab-1-west', 'pp-lab-west', 'pp-west-1-west'],
  // `-` cannot be the end of the first part and the start of the last.
  'pp-lab-*-west': ['pp-lab-1-west'],
  '*-1-*': ['pp-lab-1-west', 'pp-lab-1-west-2', 'pp-west-1-lab', 'pp-west-1-west'],
  'pp*-1-*west': ['pp-lab-1-west', 'pp-west-1-west'],
  // An inner part cannot overlap the end.
  '*west*west': ['pp-west-1-west'],
  'pp-w*-*-*b': ['pp-west-1-lab'],
  // Special characters of LIKE are ordinary ones here.
  'pp-lab_*': ['pp-lab_west'],
  'pp-lab_west': ['pp-lab_west'],
  '%-west': [],
  'pp-%': [],
} as const

type Pattern = keyof typeof covered

const patterns = Object.keys(covered) as Pattern[]
const agents = [
  'pp-lab-1-west',
  'pp-lab-1-west-2',
  'pp-lab-west',
  'pp-lab-west-2',
  'pp-lab_west',
  'pp-labxwest',
  'pp-west-1-lab',
  'pp-west-1-west',
]
const soon = { timeout: 60_000, interval: 100 }

let url: string
/** Where the changes of the fleet begin for each app: before the agents were registered. */
const starts = new Map<string, string>()
const tokens = new Map<string, string>()

it.beforeAll(async ({ environment }) => {
  url = environment.url
  for (const [priority, pattern] of patterns.entries()) {
    // A higher priority takes agents over from the app before.
    const permissions = { agents: [pattern], priority }
    const app = { app_name: `pattern ${priority}`, api_key: 'k', permissions }
    await environment.request('POST', '/api/v1/third_party_apps/', app)
    const token = await tokenOf(url, 'third_party_app', app.app_name, 'k')
    tokens.set(pattern, token)
    starts.set(pattern, (await get('/fleet/changes', token)).next)
  }
  for (const apId of agents) {
    const agent = { ap_id: apId, password: 'p', configuration: { technology: 'LiFi' } }
    expect((await environment.request('POST', '/api/v1/agents/', agent)).status).toBe(200)
  }
})

async function get(route: string, token: string): Promise<any> {
  const { status, body } = await call(url, 'GET', `/api/v1${route}`, { token })
  expect([route, status]).toEqual([route, 200])
  return body
}

const idsOf = (items: { ap_id: string }[]) => items.map(({ ap_id: apId }) => apId)

/** Pattern → what an app with this pattern reads. */
async function byPattern<T>(
  read: (token: string, pattern: Pattern) => Promise<T>,
): Promise<Record<string, T>> {
  const entries: [string, T][] = []
  for (const pattern of patterns) entries.push([pattern, await read(tokens.get(pattern) ?? '', pattern)])
  return Object.fromEntries(entries)
}

/** The agents for which a request of the app is allowed; any other request has to be refused with 403. */
async function allowed(send: (apId: string) => Promise<{ status: number }>): Promise<string[]> {
  const statuses = await Promise.all(agents.map(async (apId) => (await send(apId)).status))
  expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([])
  return agents.filter((_, n) => statuses[n] === 200)
}

const routes: [title: string, method: string, route: (apId: string) => string][] = [
  ['record', 'GET', (apId) => `/agents/${apId}`],
  ['metrics', 'GET', (apId) => `/metrics/agent_data?agent=${apId}`],
  ['live samples', 'POST', (apId) => `/agent_data/subscribe?agent_id=${apId}`],
  ['commands', 'POST', (apId) => `/send_command?agent_id=${apId}&command=reboot`],
]

it.for(routes)(
  'an app reaches the %s of the agents that its pattern covers, and no others',
  async ([, method, route]) => {
    const send = (token: string) => (apId: string) => call(url, method, `/api/v1${route(apId)}`, { token })
    expect(await byPattern((token) => allowed(send(token)))).toEqual(covered)
  },
)

it('an app may not subscribe to a list with one agent that its pattern does not cover', async () => {
  const found = await byPattern(async (token, pattern) => {
    const own = covered[pattern].map((apId) => `agent_id=${apId}`)
    return allowed((apId) =>
      call(url, 'POST', `/api/v1/agent_data/subscribe?${[...own, `agent_id=${apId}`].join('&')}`, { token }),
    )
  })
  expect(found).toEqual(covered)
})

it('the details of all agents are to an app those of the agents that its pattern covers', async () => {
  expect(await byPattern(async (token) => idsOf(await get('/metrics/agent_details', token)))).toEqual(covered)
})

it('a job for the details of all agents delivers to an app the agents that its pattern covers', async ({
  environment,
}) => {
  const route = '/api/v1/agent_details/request_all_agents_details'
  const jobs = await byPattern(async (token) => (await call(url, 'POST', route, { token })).body.job_number)
  const delivered = async (job: string) => {
    const rows = await environment.sql(
      `select data from mailbox where job_number = $1 and type = 'result' order by seq`,
      [job],
    )
    return idsOf(rows.flatMap(({ data }) => JSON.parse(data)))
  }
  const found = await byPattern(async (token, pattern) => {
    const state = async () => (await get(`/jobs/${jobs[pattern]}`, token)).state
    await expect.poll(state, soon).toBe('succeeded')
    return delivered(jobs[pattern])
  })
  expect(found).toEqual(covered)
})

it('the fleet of an app is the agents that its pattern covers', async () => {
  expect(await byPattern(async (token) => idsOf(await get('/fleet/agents', token)))).toEqual(covered)
})

it('the fleet summary of an app counts the agents that its pattern covers', async () => {
  const counts = Object.fromEntries(patterns.map((pattern) => [pattern, covered[pattern].length]))
  expect(await byPattern(async (token) => (await get('/fleet/summary', token)).total)).toEqual(counts)
})

it('the fleet figures of an app are those of the agents that its pattern covers', async () => {
  const store = new MetricsStore(inject('engines').victoria)
  const figures = async () => {
    const at = Date.now()
    for (const apId of agents) await store.write(apId, [{ at, metrics: { load_pct: 10, clients: 1 } }])
    return byPattern(async (token) => idsOf((await get('/fleet/figures', token)).busiest).toSorted())
  }
  // They are read again after 5 s, and only samples of the last 30 s count.
  await expect.poll(figures, { timeout: 75_000, interval: 500 }).toEqual(covered)
})

it('one command to many agents goes from an app to the agents that its pattern covers', async ({
  environment,
}) => {
  const recipients = async (token: string, choice: object) => {
    // No app holds an agent against the next one.
    await environment.sql('delete from command_holds')
    const body = { command: 'reboot', ...choice }
    const response = await call(url, 'POST', '/api/v1/commands', { token, body })
    if (response.status === 404) return []
    const rows = await environment.sql(
      `select ap_id from commands where parent = $1 and state <> 'skipped' order by ap_id collate "C"`,
      [response.body.job_number],
    )
    expect(response.body.agents).toBe(rows.length)
    return idsOf(rows)
  }
  expect(await byPattern((token) => recipients(token, { agents }))).toEqual(covered)
  expect(await byPattern((token) => recipients(token, { technology: 'LiFi' }))).toEqual(covered)
})

it('an enrolment token registers the agents that its pattern covers, and no others', async ({
  environment,
}) => {
  const found: Record<string, string[]> = {}
  for (const pattern of patterns.filter((each) => !each.includes('%'))) {
    const body = { ap_id_pattern: pattern, max_uses: 100 }
    const { token } = (await environment.request('POST', '/api/v1/enrolment_tokens', body)).body
    const register = (apId: string) =>
      call(url, 'POST', '/api/v1/agents/public', {
        token,
        body: { ap_id: apId, password: 'p', configuration: {} },
      })
    const statuses = await Promise.all(agents.map(async (apId) => (await register(apId)).status))
    // All are registered already: those that it may register are in conflict.
    expect(statuses.filter((status) => status !== 409 && status !== 403)).toEqual([])
    found[pattern] = agents.filter((_, n) => statuses[n] === 409)
  }
  const { '%-west': _west, 'pp-%': _pp, ...expected } = covered
  expect(found).toEqual(expected)
})

it('a live subscription shows an app whose pattern was changed only the agents that the new one covers', async ({
  environment,
}) => {
  const app = { app_name: uniqueName('narrowed'), api_key: 'k', permissions: { agents: ['pp-lab-*'] } }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  const logIn = () => tokenOf(url, 'third_party_app', app.app_name, 'k')
  const watched = covered['pp-lab-*']
  const query = watched.map((apId) => `agent_id=${apId}`).join('&')
  const { body } = await call(url, 'POST', `/api/v1/agent_data/subscribe?${query}`, { token: await logIn() })
  const permissions = { agents: ['*-west'] }
  await environment.request('PUT', `/api/v1/third_party_apps/${app.app_name}`, { permissions })

  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/ws/${body.job_number}`, {
    headers: { authorization: `Bearer ${await logIn()}` },
  })
  const shown = new Set<string>()
  socket.on('message', (data) => {
    for (const { agent_id: apId } of JSON.parse((data as Buffer).toString())) shown.add(apId)
  })
  try {
    await once(socket, 'open')
    const agentTokens = await Promise.all(watched.map((apId) => tokenOf(url, 'agent', apId, 'p')))
    const visible = ['pp-lab-1-west', 'pp-lab-west']
    // All agents send until the two are shown. Samples of the others would be shown with them.
    const sendAll = async () => {
      for (const token of agentTokens)
        await call(url, 'POST', '/api/v1/agent_update/update', { token, body: { payload: { clients: 1 } } })
      return visible.every((apId) => shown.has(apId))
    }
    await expect.poll(sendAll, soon).toBe(true)
    expect([...shown].toSorted()).toEqual(visible)
  } finally {
    socket.terminate()
  }
})

const changes = (token: string, pattern: Pattern) => get(`/fleet/changes?after=${starts.get(pattern)}`, token)

it('the new agents among the changes of the fleet are to an app those that its pattern covers', async () => {
  const read = async (token: string, pattern: Pattern) => idsOf((await changes(token, pattern)).agents)
  expect(await byPattern(async (...app) => (await read(...app)).toSorted())).toEqual(covered)
})

it('the removed agents among the changes of the fleet are to an app those that its pattern covers', async ({
  environment,
}) => {
  await environment.sql('delete from agents where ap_id = any($1)', [agents])
  const removed = async (token: string, pattern: Pattern): Promise<string[]> =>
    (await changes(token, pattern)).removed
  expect(await byPattern(async (...app) => (await removed(...app)).toSorted())).toEqual(covered)
})
