/**
 * A fleet of agents that send samples, in a process of its own. What it is about to send and what was acknowledged
 * goes to a file, a line each, so that its word can be held against the store.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { FleetAgent } from './fleet.ts'
import { payloadOf } from './payload.ts'
import { overHttp, overMqtt, overSdk, type Sender } from './senders.ts'
import { openTokenDesk } from './token-desk.ts'

export interface Load {
  mqttUrl: string
  httpUrls: string[]
  /** Bare MQTT clients. */
  overMqtt?: FleetAgent[]
  overHttp?: FleetAgent[]
  /** On our own library, over MQTT. */
  withToken?: FleetAgent[]
  withPassword?: FleetAgent[]
  metrics: number
  everyMs: number
  /** Ends by itself after this; earlier when it is told that it is enough. */
  seconds: number
  ledger: string
}

/** What it tells the process that has started it. */
export type Word = 'connected' | 'sent' | 'done' | { connections: number; logins: number }

const say = (word: Word) => void process.send?.(word)

process.once('message', (load) => void run(load as Load))

async function run(load: Load): Promise<void> {
  const ledger = createWriteStream(load.ledger)
  const senders = await open(load)
  say('connected')
  const enough = new AbortController()
  process.once('message', () => enough.abort())
  const under = await sendAll(load, senders, ledger, enough.signal)
  say('sent')
  // What an outage has held up is still sent again after it.
  await Promise.race([Promise.allSettled(under), sleep(90_000)])
  await new Promise((resolve) => ledger.end(resolve))
  say('done')
  process.exit(0)
}

async function open(load: Load): Promise<Sender[]> {
  const { mqttUrl, httpUrls, withToken = [], withPassword = [] } = load
  const desk = await openTokenDesk(withToken, httpUrls[0] ?? '')
  // Not all at once: they have not just lost their broker, they were switched on one by one.
  const atOnce = pLimit(50)
  const sdk = (agent: FleetAgent, passwordOnly: boolean) =>
    atOnce(() => overSdk({ mqttUrl, url: desk.url }, agent, passwordOnly))
  const connected = await Promise.all([
    ...(load.overMqtt ?? []).map((agent) => overMqtt(mqttUrl, agent)),
    ...withToken.map((agent) => sdk(agent, false)),
    ...withPassword.map((agent) => sdk(agent, true)),
  ])
  const senders = [...connected, ...(load.overHttp ?? []).map((agent) => overHttp(httpUrls, agent))]
  const tell = () =>
    say({
      connections: senders.filter((sender) => sender.isConnected()).length,
      logins: desk.sentOn(),
    })
  setInterval(tell, 200)
  return senders
}

async function sendAll(
  { everyMs, seconds, metrics }: Load,
  senders: readonly Sender[],
  ledger: WriteStream,
  enough: AbortSignal,
): Promise<Set<Promise<void>>> {
  const startedAt = Date.now()
  const under = new Set<Promise<void>>()
  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => under.delete(tracked))
    under.add(tracked)
  }
  for (let n = 0; n < (senders.length * seconds * 1000) / everyMs; n++) {
    // Spread over the interval: a thousand devices do not share a clock.
    const wait = startedAt + (n * everyMs) / senders.length - Date.now()
    if (wait > 2) await sleep(wait)
    if (enough.aborted) break
    const sender = senders[n % senders.length]
    if (!sender) continue
    const ts = Date.now()
    ledger.write(`i ${sender.apId} ${ts}\n`)
    const acknowledged = () => void ledger.write(`a ${sender.apId} ${ts}\n`)
    track(sender.send({ ts, payload: payloadOf(ts, metrics) }).then(acknowledged, () => {}))
  }
  return under
}
