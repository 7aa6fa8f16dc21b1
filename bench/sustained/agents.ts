/**
 * Many MQTT agents that send a sample each second, in a process of their own. Samples leave when they are due, whether
 * or not earlier ones were acknowledged: a slow broker cannot slow the agents down.
 */

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import { sampleText } from './sample-text.ts'
import { answerBytes, connack, connectPacket, disconnectPacket, puback, publishPacket, text } from './wire.ts'

interface Pacing {
  mqttUrl: string
  agents: { apId: string; token: string }[]
}

export type Order = Pacing | 'send' | 'stop'

export interface Progress {
  /** Samples that were due so far, were sent, were acknowledged. */
  due: number
  sent: number
  acknowledged: number
  lostConnections: number
}

export interface Done extends Progress {
  acknowledgedP50Ms: number
  acknowledgedP99Ms: number
}

export type Report = { is: 'connected' } | ({ is: 'progress' } & Progress) | ({ is: 'done' } & Done)

interface Agent {
  apId: string
  topic: Buffer
  socket: Socket
  packetId: number
  /** When the last packets were sent, by packet id: more are never under way while a run goes well. */
  sentAt: Float64Array
}

const tickMs = 5
const connectingAtOnce = 50
const remembered = 64
const longestMs = 60_000

/** Set from outside. */
const state = { isStopped: false, isLeaving: false }
const progress: Progress = { due: 0, sent: 0, acknowledged: 0, lostConnections: 0 }
/** Of acknowledgements, by the milliseconds that they took. */
const took = new Uint32Array(longestMs + 1)
let agents: Agent[] = []
/** One for all sockets: what is in it is read before the next socket gets it. */
const received = Buffer.alloc(4096)

process.on('message', (order) => void obey(order as Order))
// Nobody is left to tell.
process.once('disconnect', () => process.exit(1))

async function obey(order: Order): Promise<void> {
  if (order === 'stop') state.isStopped = true
  else if (order === 'send') await send()
  else {
    agents = await connectAll(order)
    tell({ is: 'connected' })
  }
}

const tell = (report: Report) => process.send?.(report)

async function send(): Promise<void> {
  const startedAt = Date.now()
  const before = progress.sent
  const reporting = setInterval(() => tell({ is: 'progress', ...progress }), 1000)
  while (!state.isStopped) {
    progress.due = before + Math.floor(((Date.now() - startedAt) / 1000) * agents.length)
    while (progress.sent < progress.due) {
      const round = Math.floor((progress.sent - before) / agents.length)
      const n = (progress.sent - before) % agents.length
      const agent = agents[n]
      // Each at its own moment of the second. With the time at which it was due no two samples of an agent share one.
      const dueAt = startedAt + round * 1000 + Math.floor((n * 1000) / agents.length)
      if (agent) publish(agent, sampleText(dueAt, n, round + 1))
    }
    await sleep(tickMs)
  }
  for (let waited = 0; waited < longestMs && progress.acknowledged < progress.sent; waited += 100)
    await sleep(100)
  clearInterval(reporting)
  state.isLeaving = true
  for (const { socket } of agents) socket.end(disconnectPacket())
  tell({ is: 'done', ...progress, acknowledgedP50Ms: percentile(0.5), acknowledgedP99Ms: percentile(0.99) })
}

function publish(agent: Agent, payload: string): void {
  progress.sent += 1
  agent.packetId = (agent.packetId % 65_535) + 1
  agent.sentAt[agent.packetId % remembered] = performance.now()
  agent.socket.write(publishPacket(agent.topic, agent.packetId, payload))
}

function acknowledged(agent: Agent, packetId: number): void {
  progress.acknowledged += 1
  const tookMs = Math.round(performance.now() - (agent.sentAt[packetId % remembered] ?? 0))
  const at = Math.min(tookMs, longestMs)
  took[at] = (took[at] ?? 0) + 1
}

function percentile(part: number): number {
  let rest = progress.acknowledged * part
  return took.findIndex((count) => (rest -= count) <= 0)
}

async function connectAll({ mqttUrl, agents: fleet }: Pacing): Promise<Agent[]> {
  const connected: Agent[] = []
  let next = 0
  const connectInTurn = async () => {
    for (let agent = fleet[next++]; agent; agent = fleet[next++]) connected.push(await open(mqttUrl, agent))
  }
  await Promise.all(Array.from({ length: connectingAtOnce }, connectInTurn))
  return connected
}

/**
 * With the first sample of the agent: after it the broker remembers what the agent may do, and the store has its
 * series. Fleets do not appear at once either.
 */
function open(url: string, { apId, token }: { apId: string; token: string }): Promise<Agent> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const answer = Buffer.alloc(answerBytes)
    let have = 0
    const onread = {
      buffer: received,
      callback(bytes: number, buffer: Uint8Array) {
        for (let at = 0; at < bytes; at++) {
          answer[have++] = buffer[at] ?? 0
          if (have < answerBytes) continue
          have = 0
          const [type, , high = 0, low = 0] = answer
          if (type === puback) {
            acknowledged(agent, high * 256 + low)
            resolve(agent)
          } else if (type === connack && low === 0) {
            progress.due += 1
            publish(agent, sampleText(Date.now(), 0, 0))
          } else reject(new Error(`the broker refused ${apId}: ${answer.toString('hex')}`))
        }
        return true
      },
    }
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
    const agent: Agent = {
      apId,
      topic: text(agentTopic(apId, 'data')),
      socket,
      packetId: 0,
      sentAt: new Float64Array(remembered),
    }
    socket.once('connect', () => socket.write(connectPacket(apId, token)))
    socket.on('error', () => {})
    socket.once('close', () => {
      if (!state.isLeaving) progress.lostConnections += 1
      reject(new Error(`the broker closed the connection of ${apId}`))
    })
  })
}
