import { type AgentClientsMessage, agentRoutingKey, exchanges } from '@manc/contract'
import amqp, { type ConfirmChannel } from 'amqplib'

export const accessPointName = (n: number): string => `ap-${n}`
export const clientName = (n: number): string => `client-${n}`

interface Message {
  accessPoint: number
  message: AgentClientsMessage
}

/** Clients that move at random between access points, and the messages that their access points send. */
export class MovingClients {
  /** The access point of each client. */
  readonly at: Int32Array
  readonly #accessPoints: number
  readonly #sinceMs: Float64Array
  readonly #members: Set<number>[]
  #snapshots = 0

  constructor(clients: number, accessPoints: number) {
    this.#accessPoints = accessPoints
    this.#members = Array.from({ length: accessPoints }, () => new Set<number>())
    this.at = Int32Array.from({ length: clients }, (_, n) => n % accessPoints)
    this.#sinceMs = new Float64Array(clients).fill(Date.now() - 60_000)
    for (const [client, accessPoint] of this.at.entries()) this.#members[accessPoint]?.add(client)
  }

  /** Snapshots of the next access points, in turn. */
  snapshots(count: number): Message[] {
    return Array.from({ length: count }, () => {
      const accessPoint = this.#snapshots++ % this.#accessPoints
      const members = this.#members[accessPoint] ?? new Set<number>()
      return {
        accessPoint,
        message: { snapshot: true, joined: Array.from(members, (n) => this.#measured(n)) },
      }
    })
  }

  /** Moves clients, one message for each access point that has changed. */
  move(count: number): Message[] {
    const messages = new Map<number, Required<Pick<AgentClientsMessage, 'joined' | 'left'>>>()
    const of = (accessPoint: number) => {
      let known = messages.get(accessPoint)
      if (!known) {
        known = { joined: [], left: [] }
        messages.set(accessPoint, known)
      }
      return known
    }
    const moved = new Set<number>()
    const nowMs = Date.now()
    while (moved.size < count) {
      const client = Math.floor(Math.random() * this.at.length)
      if (moved.has(client)) continue
      moved.add(client)
      const from = this.at[client] as number
      const to = (from + 1 + Math.floor(Math.random() * (this.#accessPoints - 1))) % this.#accessPoints
      this.#members[from]?.delete(client)
      this.#members[to]?.add(client)
      this.at[client] = to
      this.#sinceMs[client] = nowMs
      of(from).left.push({ client: clientName(client), at: new Date(nowMs).toISOString(), reason: 'moved' })
      of(to).joined.push(this.#entry(client))
    }
    return Array.from(messages, ([accessPoint, message]) => ({ accessPoint, message }))
  }

  /** As in snapshots: throughput, and eight access points that it hears. */
  #measured(client: number) {
    const near = Array.from({ length: 8 }, (_, n): [string, number] => [
      accessPointName((client + n) % this.#accessPoints),
      -60 - Math.floor(Math.random() * 20),
    ])
    const heard: Record<string, number> = Object.fromEntries(near)
    return { ...this.#entry(client), throughput_mbps: Math.round(Math.random() * 100) / 10, heard }
  }

  #entry(client: number) {
    return {
      client: clientName(client),
      since: new Date(this.#sinceMs[client] as number).toISOString(),
      signal_dbm: -60 - (client % 20),
      rate_mbps: 100 + (client % 300),
    }
  }
}

/** Publishes as the broker's MQTT plugin does. */
export class ClientPublisher {
  readonly #connection: amqp.ChannelModel
  readonly #channel: ConfirmChannel

  private constructor(connection: amqp.ChannelModel, channel: ConfirmChannel) {
    this.#connection = connection
    this.#channel = channel
  }

  static async open(url: string): Promise<ClientPublisher> {
    const connection = await amqp.connect(url)
    return new ClientPublisher(connection, await connection.createConfirmChannel())
  }

  async publish(messages: readonly Message[]): Promise<void> {
    for (const { accessPoint, message } of messages)
      this.#channel.publish(
        exchanges.agents,
        agentRoutingKey(accessPointName(accessPoint), 'clients'),
        Buffer.from(JSON.stringify(message)),
        { persistent: true },
      )
    await this.#channel.waitForConfirms()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
