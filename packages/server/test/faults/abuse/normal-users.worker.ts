/** The normal users: each sends a request at its interval, whether or not the earlier ones were answered. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic, type CommandForAgent, envelopeProtocol, socketPath } from '@manc/contract'
import type { FleetAgent } from '@manc/harness/load'
import mqtt from 'mqtt'
import WebSocket from 'ws'
import type { Operation } from './latencies.ts'
import { serveWorker } from './worker-process.ts'

export interface NormalUser {
  username: string
  password: string
  token: string
  isOperator: boolean
}

export interface NormalUsers {
  urls: string[]
  mqttUrl: string
  users: NormalUser[]
  /** Agents that send telemetry. */
  watched: string[]
  /** Agents that this process connects, which execute commands. */
  commanded: FleetAgent[]
  intervalMs: number
}

const timeoutMs = 15_000
const keepAlive = new Agent({ keepAlive: true })

serveWorker(async (value, stopping, ready) => {
  const options = value as NormalUsers
  await Promise.all(options.commanded.map((agent) => executeCommands(options.mqttUrl, agent)))
  const operations: Operation[] = []
  const pending = new Set<Promise<void>>()
  ready()
  await Promise.all(
    options.users.map(async (user, index) => {
      await sleep((index / options.users.length) * options.intervalMs)
      for (let n = 0; !stopping.aborted; n++) {
        const work = measure(options, user, n + index, operations).finally(() => pending.delete(work))
        pending.add(work)
        await sleep(options.intervalMs)
      }
    }),
  )
  await Promise.all(pending)
  return operations
})

/** In turn; a user that is no operator reads where an operator sends a command. */
const turns = [
  'list',
  'chart',
  'history',
  'changes',
  'command',
  'chart',
  'list',
  'chart',
  'history',
  'login',
] as const

async function measure(
  options: NormalUsers,
  user: NormalUser,
  n: number,
  operations: Operation[],
): Promise<void> {
  const turn = turns[n % turns.length] ?? 'list'
  const kind = turn === 'command' && !user.isOperator ? 'chart' : turn
  const url = options.urls[n % options.urls.length] ?? ''
  const startedAt = Date.now()
  const started = performance.now()
  let failure: string | undefined
  try {
    await perform[kind](options, user, url)
  } catch (error) {
    failure =
      error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
  }
  operations.push({
    kind: kind === 'chart' || kind === 'list' || kind === 'changes' ? 'read' : kind,
    startedAt,
    ms: performance.now() - started,
    ...(failure !== undefined && { failure: `${kind} ${failure}` }),
  })
}

type Perform = (options: NormalUsers, user: NormalUser, url: string) => Promise<unknown>

const perform: Record<(typeof turns)[number], Perform> = {
  list: (_, { token }, url) => send(url, 'GET', '/api/v1/fleet/agents?limit=100', token),
  changes: (_, { token }, url) => send(url, 'GET', '/api/v1/fleet/changes', token),
  chart: ({ watched }, { token }, url) =>
    send(
      url,
      'GET',
      `/api/v1/metrics/agent_multi_metric_data?agent=${oneOf(watched)}&metrics=metric_0,metric_1&window=1m`,
      token,
    ),
  history: ({ watched }, { token }, url) => {
    const start = new Date(Date.now() - 60_000).toISOString()
    const query = `agent_id=${oneOf(watched)}&start_time=${start}&end_time=${new Date().toISOString()}`
    return completeJob(url, `/api/v1/agent_data/request_agent_data?${query}`, token)
  },
  command: ({ commanded }, { token }, url) =>
    completeJob(url, `/api/v1/send_command?agent_id=${oneOf(commanded).apId}&command=status`, token),
  login: async (_, user, url) => {
    const { username, password } = user
    const form = new URLSearchParams({ username, password }).toString()
    user.token = JSON.parse(await send(url, 'POST', '/api/v1/token/?login_type=user', '', form)).access_token
  },
}

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

function send(url: string, method: string, path: string, token: string, form?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, {
      method,
      agent: keepAlive,
      timeout: timeoutMs,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error('no response')))
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('error', reject)
      response.once('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(String(response.statusCode))),
      )
    })
    outgoing.end(form)
  })
}

/** Resolves with the last message of the job, over its socket. */
async function completeJob(url: string, path: string, token: string): Promise<void> {
  const { job_number: number } = JSON.parse(await send(url, 'POST', path, token))
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}${socketPath}/${number}?after=0`,
    [envelopeProtocol],
    {
      headers: { authorization: `Bearer ${token}` },
    },
  )
  const timer = setTimeout(() => socket.terminate(), timeoutMs)
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const { type, seq, final, data: content } = JSON.parse((data as Buffer).toString())
      socket.send(JSON.stringify({ type: 'ack', seq }))
      if (!final) return
      if (type === 'state') reject(new Error(`job ${content.state}: ${content.detail}`))
      else if (content[0]?.state !== undefined && content[0].state !== 'succeeded')
        reject(new Error(`command ${content[0].state}`))
      else resolve()
    })
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`socket closed with ${code}`)))
  }).finally(() => {
    clearTimeout(timer)
    socket.close()
  })
}

/** An agent that answers every command at once. */
async function executeCommands(url: string, { apId, token }: FleetAgent): Promise<void> {
  const client = await mqtt.connectAsync(url, {
    clientId: apId,
    username: apId,
    password: token,
    protocolVersion: 4,
    clean: false,
  })
  client.on('error', () => {})
  client.on('message', (_topic, payload) => {
    const { id } = JSON.parse(payload.toString()) as CommandForAgent
    client.publish(agentTopic(apId, 'result'), JSON.stringify({ id, state: 'succeeded' }), { qos: 1 })
  })
  await client.subscribeAsync(agentTopic(apId, 'command'), { qos: 1 })
}
