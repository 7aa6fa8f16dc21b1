/**
 * Many MQTT agents in a separate process that send in turn at a constant rate. Open loop: messages are sent when they are
 * due, whether or not earlier ones were acknowledged.
 */

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentTopic } from '@manc/contract'
import { messageText } from './sample-text.ts'
import {
  answerBytes,
  connack,
  connectPacket,
  disconnectPacket,
  maxAnswerBytes,
  puback,
  publishPacket,
  suback,
  subscribePacket,
  text,
} from './wire.ts'

export interface Pacing {
  mqttUrl: string
  agents: { apId: string; token: string }[]
  /** Messages of all agents together. */
  perSecond: number
  /** In each message. */
  samples: number
  /** In each sample. */
  metrics: number
  /** Each agent subscribes to its commands. */
  subscribes: boolean
}

export type Order = Pacing | 'send' | 'stop'

export interface Progress {
  /** Messages that were due, sent and acknowledged so far. */
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
  /** Send times of the last packets by packet id; a healthy run never has more in flight. */
  sentAt: Float64Array
}

const tickMs = 5
const connectingAtOnce = 50
const remembered = 64
const longestMs = 60_000

/** Set by messages from the parent process. */
const state = { isStopped: false, isLeaving: false }
const progress: Progress = { due: 0, sent: 0, acknowledged: 0, lostConnections: 0 }
/** Histogram of acknowledgement times in milliseconds. */
const took = new Uint32Array(longestMs + 1)
let agents: Agent[] = []
let current: Pacing | undefined
/** Shared by all sockets: it is consumed before the next socket uses it. */
const received = Buffer.alloc(4096)

process.on('message', (order) => void obey(order as Order))
// The parent has exited.
process.once('disconnect', () => process.exit(1))

async function obey(order: Order): Promise<void> {
  if (order === 'stop') state.isStopped = true
  else if (order === 'send') await send()
  else {
    current = order
    agents = await connectAll(order)
    sendReport({ is: 'connected' })
  }
}

const sendReport = (report: Report) => process.send?.(report)

async function send(): Promise<void> {
  if (!current) throw new Error('the agents are not connected')
  const { perSecond, metrics, samples } = current
  const startedAt = Date.now()
  const before = progress.sent
  const reporting = setInterval(() => sendReport({ is: 'progress', ...progress }), 1000)
  while (!state.isStopped) {
    progress.due = before + Math.floor(((Date.now() - startedAt) / 1000) * perSecond)
    while (progress.sent < progress.due) {
      const index = progress.sent - before
      const round = Math.floor(index / agents.length)
      const n = index % agents.length
      const agent = agents[n]
      // The timestamp is the due time, so that it is unique per agent.
      const dueAt = startedAt + Math.floor((index * 1000) / perSecond)
      if (agent) publish(agent, messageText(dueAt, { agent: n, round: round + 1, metrics, samples }))
    }
    await sleep(tickMs)
  }
  for (let waited = 0; waited < longestMs && progress.acknowledged < progress.sent; waited += 100)
    await sleep(100)
  clearInterval(reporting)
  state.isLeaving = true
  for (const { socket } of agents) socket.end(disconnectPacket())
  sendReport({
    is: 'done',
    ...progress,
    acknowledgedP50Ms: percentile(0.5),
    acknowledgedP99Ms: percentile(0.99),
  })
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

async function connectAll(pacing: Pacing): Promise<Agent[]> {
  const { agents: fleet } = pacing
  const connected: Agent[] = []
  let next = 0
  const connectInTurn = async () => {
    for (let agent = fleet[next++]; agent; agent = fleet[next++]) connected.push(await open(pacing, agent))
  }
  await Promise.all(Array.from({ length: connectingAtOnce }, connectInTurn))
  return connected
}

/**
 * Sends the first sample of the agent, so that the broker has cached its permissions and the store has its series
 * before the measurement starts.
 */
function open(
  { mqttUrl, metrics, samples, subscribes }: Pacing,
  { apId, token }: Pacing['agents'][number],
): Promise<Agent> {
  const { hostname, port } = new URL(mqttUrl)
  return new Promise((resolve, reject) => {
    const answer = Buffer.alloc(maxAnswerBytes)
    let have = 0
    const onread = {
      buffer: received,
      callback(bytes: number, buffer: Uint8Array) {
        for (let at = 0; at < bytes; at++) {
          answer[have++] = buffer[at] ?? 0
          if (have < answerBytes(answer[0])) continue
          have = 0
          const [type, , high = 0, low = 0] = answer
          if (type === puback) {
            acknowledged(agent, high * 256 + low)
            resolve(agent)
          } else if (type === connack && low === 0 && subscribes) {
            socket.write(subscribePacket(text(agentTopic(apId, 'command'))))
          } else if ((type === connack && low === 0) || (type === suback && answer[4] === 1)) {
            progress.due += 1
            publish(agent, messageText(Date.now(), { agent: 0, round: 0, metrics, samples }))
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
