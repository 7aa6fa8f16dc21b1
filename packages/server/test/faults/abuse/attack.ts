import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetAgent } from '@manc/harness/load'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'

export type AttackerName = 'account' | 'app' | 'agent' | 'anonymous'

export interface AttackOptions {
  name: AttackerName
  /** Of the replicas, used in turn. */
  urls: string[]
  mqttUrl: string
  /** The address that the attacker sends from: limits by address must not affect the normal callers. */
  address: string
  /** Requests, messages and connections per second, over all tactics. */
  perSecond: number
  /** Of the account or app. */
  token: string
  username: string
  password: string
  /** The attacking agent. */
  agent: FleetAgent
  /** Agents of others. */
  others: string[]
  /** The name of an administrator. */
  administrator: string
}

interface Request {
  method?: string
  path: string
  body?: string | Buffer
  headers?: Record<string, string>
}

const timeoutMs = 20_000

/** The means of an attacker. All are bounded: the rate, the concurrency of each tactic, and the open connections. */
export class Attack {
  readonly options: AttackOptions
  readonly stopping: AbortSignal
  /** Outcomes by tactic: `<tactic> <status or error>`. */
  readonly counts: Record<string, number> = {}
  /** Of the account or app; a new one is needed after a change of the password. */
  token: string
  readonly #agent: Agent
  readonly #open = new Set<{ destroy(): void }>()
  #turn = 0
  #nextAt = performance.now()

  constructor(options: AttackOptions, stopping: AbortSignal) {
    this.options = options
    this.stopping = stopping
    this.token = options.token
    this.#agent = new Agent({ keepAlive: true, maxSockets: 256, localAddress: options.address })
  }

  get url(): string {
    return this.options.urls[this.#turn++ % this.options.urls.length] ?? ''
  }

  other(): string {
    const { others } = this.options
    return others[Math.floor(Math.random() * others.length)] ?? ''
  }

  count(tactic: string, outcome: string | number): void {
    const key = `${tactic} ${outcome}`
    this.counts[key] = (this.counts[key] ?? 0) + 1
  }

  /** Repeats a tactic in `concurrency` loops until the attack ends. It returns what to count. */
  async repeat(tactic: string, concurrency: number, act: () => Promise<string | number>): Promise<void> {
    const loop = async () => {
      while (!this.stopping.aborted) {
        await this.#turnToSend()
        const outcome = await act().catch(
          (error: NodeJS.ErrnoException) => error.code ?? error.message.slice(0, 60),
        )
        this.count(tactic, outcome)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, loop))
  }

  /** The status of the response. */
  async send({ method = 'GET', path, body, headers = {} }: Request): Promise<number> {
    const { status } = await this.exchange({ method, path, ...(body !== undefined && { body }), headers })
    return status
  }

  exchange({ method = 'GET', path, body, headers = {} }: Request): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(this.url + path, {
        method,
        agent: this.#agent,
        timeout: timeoutMs,
        headers: {
          ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      outgoing.once('timeout', () => outgoing.destroy(new Error('no response')))
      outgoing.once('error', reject)
      outgoing.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          if (text.length < 10_000) text += chunk
        })
        response.once('error', reject)
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      outgoing.end(body)
    })
  }

  /** A plain connection, closed at the end of the attack. Resolves when it is established. */
  connect(target: string): Promise<Socket> {
    const { hostname, port } = new URL(target)
    const socket = connect({ host: hostname, port: Number(port), localAddress: this.options.address })
    this.keep(socket)
    socket.on('close', () => this.#open.delete(socket))
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(socket))
      socket.on('error', reject)
    })
  }

  /** Closed at the end of the attack. */
  keep(connection: { destroy(): void }): void {
    this.#open.add(connection)
  }

  /** Rejects with the refusal of the broker. */
  connectMqtt(options: IClientOptions): Promise<MqttClient> {
    const { hostname, port } = new URL(this.options.mqttUrl)
    const client = new mqtt.MqttClient(
      () => connect({ host: hostname, port: Number(port), localAddress: this.options.address }),
      { protocolVersion: 4, reconnectPeriod: 0, connectTimeout: 10_000, ...options },
    )
    this.keep({ destroy: () => client.end(true) })
    return new Promise((resolve, reject) => {
      client.once('connect', () => resolve(client))
      client.on('error', (error) => reject(error))
      client.once('close', () => reject(new Error('closed')))
    })
  }

  end(): void {
    for (const each of this.#open) each.destroy()
    this.#agent.destroy()
  }

  async #turnToSend(): Promise<void> {
    const now = performance.now()
    this.#nextAt = Math.max(this.#nextAt + 1000 / this.options.perSecond, now - 100)
    if (this.#nextAt > now) await sleep(this.#nextAt - now)
  }
}

/** Up to 31 days, different each time: no two requests share a cached answer. */
export const oddWindow = (): string => `${2_600_000 + Math.floor(Math.random() * 70_000)}s`
