import { setTimeout as sleep } from 'node:timers/promises'
import { measurementOf } from '@manc/contract'

export const metrics = ['latency_ms', 'packet_loss_pct', 'load_pct', 'clients', 'throughput_mbps'] as const
export type Metric = (typeof metrics)[number]

const apIdOf = (agent: number): string => `alarmed-${agent}`

const goodValue = 10
const slotMs = 1000
/** Each agent sends once in so many slots. */
const slots = 10

/** Samples of all agents, written to the store directly: the bench is about what evaluates them. */
export class Telemetry {
  readonly #victoria: string
  readonly #agents: number
  readonly #bad = new Map<number, { metric: Metric; value: number; fromMs: number }>()
  /** When the first bad sample of an agent was taken, by its id. */
  readonly badSince = new Map<string, number>()
  #isStopped = false
  #running: Promise<void> | undefined

  constructor(victoria: string, agents: number) {
    this.#victoria = victoria
    this.#agents = agents
  }

  start(): void {
    this.#running = this.#run()
    // The error is thrown by `stop`.
    this.#running.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** From this time on the agent sends this value of one metric. */
  turnBad(agent: number, change: { metric: Metric; value: number; fromMs: number }): void {
    this.#bad.set(agent, change)
  }

  async #run(): Promise<void> {
    const startedAt = Date.now()
    for (let slot = 0; !this.#isStopped; slot++) {
      await sleep(Math.max(0, startedAt + slot * slotMs - Date.now()))
      await this.#write(slot % slots)
    }
  }

  async #write(slot: number): Promise<void> {
    const at = Date.now()
    const lines: string[] = []
    for (let agent = slot; agent < this.#agents; agent += slots) {
      const apId = apIdOf(agent)
      const bad = this.#bad.get(agent)
      const isBad = bad !== undefined && bad.fromMs <= at
      if (isBad && !this.badSince.has(apId)) this.badSince.set(apId, at)
      const fields = metrics.map((name) => `${name}=${isBad && name === bad.metric ? bad.value : goodValue}`)
      lines.push(`${measurementOf(apId)},ap_id=${apId} ${fields.join(',')} ${at}`)
    }
    const response = await fetch(`${this.#victoria}/write?precision=ms`, {
      method: 'POST',
      body: lines.join('\n'),
    })
    if (!response.ok) throw new Error(`the store refuses samples: ${response.status}`)
  }
}
