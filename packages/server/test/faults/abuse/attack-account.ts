import { randomUUID } from 'node:crypto'
import { socketPath } from '@manc/contract'
import WebSocket from 'ws'
import { type Attack, oddWindow } from './attack.ts'

const maxSockets = 300
const json = JSON.stringify
const largeList = `[${'{},'.repeat(300_000)}{}]`
const deepList = `${'['.repeat(400_000)}${']'.repeat(400_000)}`

/** A standard user from sign-up: it stores what it does not read, and reads what is expensive. */
export function attackAsAccount(attack: Attack): Promise<unknown> {
  const jobs: string[] = []
  const openJob = async (path: string, headers = {}) => {
    const { status, text } = await attack.exchange({ method: 'POST', path, headers })
    if (status === 200) jobs.push(JSON.parse(text).job_number)
    return status
  }
  const history = () => {
    const end = new Date().toISOString()
    return `/api/v1/agent_data/request_agent_data?agent_id=${attack.other()}&start_time=2026-01-01T00:00:00Z&end_time=${end}`
  }
  return Promise.all([
    attack.repeat('history without reading', 4, () =>
      openJob(history(), { 'idempotency-key': randomUUID() }),
    ),
    attack.repeat('details without reading', 2, () =>
      openJob('/api/v1/agent_details/request_all_agents_details'),
    ),
    attack.repeat('cancelled jobs', 2, async () => {
      const path = '/api/v1/agent_details/request_all_agents_details'
      const { status, text } = await attack.exchange({ method: 'POST', path })
      if (status !== 200) return status
      const { job_number: job } = JSON.parse(text) as { job_number: string }
      return attack.send({ method: 'POST', path: `/api/v1/jobs/${job}/cancel` })
    }),
    attack.repeat('live subscriptions', 2, () => {
      const agents = attack.options.others.slice(0, 256).map((apId) => `agent_id=${apId}`)
      return openJob(`/api/v1/agent_data/subscribe?${agents.join('&')}`)
    }),
    attack.repeat('sockets', 2, () => openSocket(attack, jobs)),
    attack.repeat('charts', 12, () =>
      attack.send({ path: `/api/v1/metrics/agent_data?agent=${attack.other()}&window=${oddWindow()}` }),
    ),
    attack.repeat('chart of 256 metrics', 4, () => {
      const names = Array.from({ length: 256 }, (_, n) => `metric_${n}`).join(',')
      const query = `agent=${attack.other()}&metrics=${names}&window=${oddWindow()}`
      return attack.send({ path: `/api/v1/metrics/agent_multi_metric_data?${query}` })
    }),
    attack.repeat('lists', 6, () => attack.send({ path: '/api/v1/fleet/agents?limit=5000&q=a' })),
    attack.repeat('all details', 4, () => attack.send({ path: '/api/v1/metrics/agent_details' })),
    attack.repeat('summary', 4, () => attack.send({ path: '/api/v1/fleet/summary' })),
    attack.repeat('job list', 2, () => attack.send({ path: '/api/v1/jobs?limit=1000' })),
    attack.repeat('emulations', 2, () =>
      attack.send({
        method: 'POST',
        path: '/api/v1/emulator/spinup',
        body: json({ emulators: [emulation(1000, 1_000_000_000)] }),
      }),
    ),
    attack.repeat('short emulations', 1, () =>
      attack.send({
        method: 'POST',
        path: '/api/v1/emulator/spinup',
        body: json({ emulators: [emulation(10, 1)] }),
      }),
    ),
    attack.repeat('password changes', 4, () => changePassword(attack)),
    attack.repeat('mailboxes', 2, () =>
      attack.send({
        method: 'POST',
        path: `/api/v1/callback/agent_data?job_number=${randomUUID()}`,
        body: json([{ text: 'x'.repeat(500_000) }]),
      }),
    ),
    attack.repeat('large bodies', 2, () =>
      attack.send({
        method: 'POST',
        path: `/api/v1/callback/agent_details?job_number=${randomUUID()}`,
        body: largeList,
      }),
    ),
    attack.repeat('deep bodies', 1, () =>
      attack.send({ method: 'POST', path: '/api/v1/emulator/spinup', body: deepList }),
    ),
  ])
}

const emulation = (agents: number, duration: number) => ({
  access_point_type: 'WiFi',
  num_access_points: agents,
  locations: ['Bristol'],
  num_devices: 1000,
  duration,
})

let sockets = 0

/** Opened and never read. */
async function openSocket(attack: Attack, jobs: string[]): Promise<string> {
  const job = jobs.shift()
  if (job === undefined || sockets >= maxSockets)
    return attack.send({ path: '/api/v1/users/me' }).then(String)
  sockets += 1
  const socket = new WebSocket(`${attack.url.replace('http', 'ws')}${socketPath}/${job}`, {
    headers: { authorization: `Bearer ${attack.token}` },
    localAddress: attack.options.address,
  })
  attack.keep({ destroy: () => socket.terminate() })
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.pause()
      resolve('open')
    })
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(String(statusCode)))
    socket.once('error', () => resolve('error'))
    socket.once('close', () => {
      sockets -= 1
    })
  })
}

/** To the same password. It revokes the token, so a new login follows. */
async function changePassword(attack: Attack): Promise<number> {
  const { username, password } = attack.options
  const status = await attack.send({
    method: 'PUT',
    path: '/api/v1/users/me',
    body: json({ password, current_password: password }),
  })
  const form = new URLSearchParams({ username, password }).toString()
  const login = await attack.exchange({
    method: 'POST',
    path: '/api/v1/token/?login_type=user',
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  if (login.status === 200) attack.token = JSON.parse(login.text).access_token
  return status
}
