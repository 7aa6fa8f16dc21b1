/**
 * A fleet of agents that send samples, in its own process. It writes every sample that it is about to send and every
 * acknowledgement, with its delay in milliseconds, to a file, one line each, so that the store can be compared with it.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { FleetAgent } from './fleet.ts'
import { payloadOf } from './payload.ts'
import { httpSender, mqttSender, type Sender, sdkSender } from './senders.ts'
import { startTokenProxy } from './token-proxy.ts'

export interface Load {
  mqttUrl: string
  httpUrls: string[]
  /** Plain MQTT clients. */
  overMqtt?: FleetAgent[]
  overHttp?: FleetAgent[]
  /** Agents on the SDK, over MQTT. */
  withToken?: FleetAgent[]
  withPassword?: FleetAgent[]
  metrics: number
  intervalMs: number
  /** Sending ends after this, or earlier when the parent process stops it. */
  seconds: number
  /** The file for sent and acknowledged samples. */
  sampleLog: string
}

/** Sent to the parent process. */
export type GeneratorMessage = 'connected' | 'sent' | 'done' | { connections: number; logins: number }

const report = (message: GeneratorMessage) => void process.send?.(message)

process.once('message', (load) => void run(load as Load))
process.once('disconnect', () => process.exit(1))

async function run(load: Load): Promise<void> {
  const sampleLog = createWriteStream(load.sampleLog)
  const senders = await connect(load)
  report('connected')
  const stopping = new AbortController()
  process.once('message', () => stopping.abort())
  const pending = await sendAll(load, senders, sampleLog, stopping.signal)
  report('sent')
  // Samples that an outage has delayed are sent again after it.
  await Promise.race([Promise.allSettled(pending), sleep(90_000)])
  await new Promise((resolve) => sampleLog.end(resolve))
  report('done')
  process.exit(0)
}

async function connect(load: Load): Promise<Sender[]> {
  const { mqttUrl, httpUrls, withToken = [], withPassword = [] } = load
  const proxy = await startTokenProxy(withToken, httpUrls[0] ?? '')
  // 50 at a time: at the start the agents are switched on one by one, unlike after a broker restart.
  const limit = pLimit(50)
  const sdk = (agent: FleetAgent, passwordOnly: boolean) =>
    limit(() => sdkSender({ mqttUrl, url: proxy.url }, agent, passwordOnly))
  const connected = await Promise.all([
    ...(load.overMqtt ?? []).map((agent) => mqttSender(mqttUrl, agent)),
    ...withToken.map((agent) => sdk(agent, false)),
    ...withPassword.map((agent) => sdk(agent, true)),
  ])
  const senders = [...connected, ...(load.overHttp ?? []).map((agent) => httpSender(httpUrls, agent))]
  const reportConnections = () =>
    report({
      connections: senders.filter((sender) => sender.isConnected()).length,
      logins: proxy.redirected(),
    })
  setInterval(reportConnections, 200)
  return senders
}

async function sendAll(
  { intervalMs, seconds, metrics }: Load,
  senders: readonly Sender[],
  sampleLog: WriteStream,
  stopping: AbortSignal,
): Promise<Set<Promise<void>>> {
  const startedAt = Date.now()
  const pending = new Set<Promise<void>>()
  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => pending.delete(tracked))
    pending.add(tracked)
  }
  for (let n = 0; n < (senders.length * seconds * 1000) / intervalMs; n++) {
    // Spread over the interval: a thousand access points do not share a clock.
    const wait = startedAt + (n * intervalMs) / senders.length - Date.now()
    if (wait > 2) await sleep(wait)
    if (stopping.aborted) break
    const sender = senders[n % senders.length]
    if (!sender) continue
    const ts = Date.now()
    sampleLog.write(`i ${sender.apId} ${ts}\n`)
    const acknowledged = () => void sampleLog.write(`a ${sender.apId} ${ts} ${Date.now() - ts}\n`)
    track(sender.send({ ts, payload: payloadOf(ts, metrics) }).then(acknowledged, () => {}))
  }
  return pending
}
