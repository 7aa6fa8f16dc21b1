import { setTimeout as sleep } from 'node:timers/promises'
import { deadLetterQueue, telemetryQueues, updatesQueue } from '@manc/contract'
import { brokerManagement, call } from '@manc/harness'
import fc from 'fast-check'
import { connectDevice, type Device } from '../mqtt/device.ts'
import type { FuzzEnvironment } from './environment.ts'
import type { Findings } from './findings.ts'
import { brokenJson, hostileText, hostileValue, oddBytes } from './hostile-values.ts'
import { nearly } from './mutations.ts'
import { passwordMark, update } from './names.ts'
import { chunkSizes, inParallel } from './parallel.ts'

const agentCount = 20
const inFlight = 20
const password = `${passwordMark}-of-devices`
const steadyName = 'mqtt-steady'
const settledWithinMs = 300_000

interface Message {
  /** `<ap_id>` stands for the id of the sender. */
  topic: string
  payload: Buffer
}

const text = (arbitrary: fc.Arbitrary<unknown>) =>
  arbitrary.map((value) => Buffer.from(JSON.stringify(value) ?? ''))

const result = fc.record(
  {
    id: fc.oneof(fc.uuid(), hostileText),
    state: fc.oneof(fc.constantFrom('delivered', 'succeeded', 'failed'), hostileText),
    result: fc.jsonValue(),
    detail: hostileValue,
  },
  { requiredKeys: [] },
)
const status = fc.oneof(
  fc.constantFrom('online', 'offline', '{"status":"online"}'),
  fc.record({ status: hostileText, connected_at: hostileValue }).map((value) => JSON.stringify(value)),
)

const payload: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: text(update) },
  { weight: 2, arbitrary: text(nearly(update)) },
  { weight: 2, arbitrary: text(result) },
  { weight: 1, arbitrary: status.map((each) => Buffer.from(each)) },
  { weight: 2, arbitrary: text(hostileValue) },
  { weight: 2, arbitrary: brokenJson(update).map((each) => Buffer.from(each)) },
  { weight: 1, arbitrary: oddBytes(hostileText) },
)

const message: fc.Arbitrary<Message> = fc.record({
  topic: fc.oneof(
    { weight: 500, arbitrary: fc.constantFrom('data', 'data', 'onboard', 'status', 'result') },
    { weight: 1, arbitrary: fc.constantFrom('command', 'data/x', 'DATA', '', '$SYS', '\u0001') },
  ),
  payload,
})

/** Messages of agents on their own topics, and rarely on others, while one agent sends samples as usual. */
export async function fuzzMqtt(
  environment: FuzzEnvironment,
  { messages, seed }: { messages: number; seed: number },
  findings: Findings,
) {
  const names = Array.from({ length: agentCount }, (_, n) => `mqtt-agent-${n}`)
  const token = await environment.adminToken()
  await inParallel([...names, steadyName], 4, (ap_id) =>
    call(environment.url, 'POST', '/api/v1/agents/', { token, body: { ap_id, password, configuration: {} } }),
  )
  const steady = new SteadyAgent(await connect(environment, steadyName))
  const counts = { acknowledged: 0, disconnected: 0 }
  const chunks = chunkSizes(messages, 250).entries()
  await Promise.all(
    names.map(async (name) => {
      const sender = new Sender(environment, name, counts)
      for (const [index, size] of chunks)
        await inParallel(fc.sample(message, { seed: seed + index, numRuns: size }), inFlight, (each) =>
          sender.send(each),
        )
      await sender.close()
    }),
  )
  await steady.stop()
  await waitUntilSettled(environment, findings)
  await checkSteady(environment, steady, findings)
  return { ...counts, deadLetters: (await depths(environment)).get(deadLetterQueue) ?? 0 }
}

const connect = (environment: FuzzEnvironment, name: string) =>
  connectDevice(environment.base.engines.mqtt, name, password)

/** Connects again where the broker has closed the connection, as it does after a forbidden topic. */
class Sender {
  readonly #environment: FuzzEnvironment
  readonly #name: string
  readonly #counts: { acknowledged: number; disconnected: number }
  #device: Promise<Device> | undefined

  constructor(
    environment: FuzzEnvironment,
    name: string,
    counts: { acknowledged: number; disconnected: number },
  ) {
    this.#environment = environment
    this.#name = name
    this.#counts = counts
  }

  async send({ topic, payload: content }: Message): Promise<void> {
    const device = await (this.#device ??= this.#connect())
    try {
      await device.publish(`agent/${this.#name}/${topic}`, content)
      this.#counts.acknowledged += 1
    } catch {
      this.#counts.disconnected += 1
      await device.closed
      this.#device = undefined
    }
  }

  async close(): Promise<void> {
    const device = await this.#device
    if (device?.isConnected()) await device.leave()
  }

  async #connect(): Promise<Device> {
    for (;;)
      try {
        return await connect(this.#environment, this.#name)
      } catch {
        await sleep(200)
      }
  }
}

/** Sends a numbered sample five times a second. */
class SteadyAgent {
  readonly name = steadyName
  sent = 0
  readonly #device: Device
  readonly #done: Promise<void>
  #isStopped = false

  constructor(device: Device) {
    this.#device = device
    this.#done = this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#done
    await this.#device.leave()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const sample = { ts: Date.now(), payload: { seq: this.sent } }
      await this.#device.publish(`agent/${this.name}/data`, JSON.stringify(sample))
      this.sent += 1
      await sleep(200)
    }
  }
}

/** Messages in each queue. The broker's statistics are a few seconds old. */
async function depths(environment: FuzzEnvironment): Promise<Map<string, number>> {
  const queues = await brokerManagement(environment.base.engines, 'GET', '/api/queues/%2F')
  return new Map(
    (queues as { name: string; messages?: number }[]).map((each) => [each.name, each.messages ?? 0]),
  )
}

async function waitUntilSettled(environment: FuzzEnvironment, findings: Findings): Promise<void> {
  let left: string[] = []
  for (const deadline = Date.now() + settledWithinMs; Date.now() < deadline; await sleep(2000)) {
    const found = await depths(environment)
    left = [...telemetryQueues, updatesQueue].filter((name) => (found.get(name) ?? 0) > 0)
    if (left.length === 0) return
  }
  findings.add({ problem: 'messages stay in the queues', where: 'mqtt', evidence: left.join(', ') })
}

/** Every sample of the agent that sent as usual is stored. */
async function checkSteady(
  environment: FuzzEnvironment,
  { name, sent }: SteadyAgent,
  findings: Findings,
): Promise<void> {
  // The statistics of the broker may be older than the last messages.
  let stored = 0
  for (const deadline = Date.now() + settledWithinMs; Date.now() < deadline; await sleep(500)) {
    stored = await storedSamples(environment, name)
    if (stored >= sent) break
  }
  if (stored !== sent)
    findings.add({
      problem: 'samples of a well-behaved agent are missing',
      where: 'mqtt',
      evidence: `sent ${sent}, stored ${stored}`,
    })
}

async function storedSamples(environment: FuzzEnvironment, name: string): Promise<number> {
  const query = new URLSearchParams({
    query: `count_over_time(seq{ap_id="${name}"}[2h])`,
    time: String(Date.now() / 1000),
  })
  const response = await fetch(`${environment.base.engines.victoria}/api/v1/query?${query.toString()}`)
  const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
  return Number(data.result[0]?.value[1] ?? 0)
}
