import { setTimeout as sleep } from 'node:timers/promises'
import { agentRoutingKey, exchanges } from '@manc/contract'
import amqp from 'amqplib'

const intervalMs = 1000

/** Agents that send one metric each second through the broker, and the ingester stores it. */
export class Samples {
  /** By agent. */
  readonly values = new Map<string, number>()
  readonly #rabbitmqUrl: string
  readonly #metric: string
  #isStopped = false
  #running: Promise<void> | undefined

  constructor(rabbitmqUrl: string, metric: string) {
    this.#rabbitmqUrl = rabbitmqUrl
    this.#metric = metric
  }

  async start(): Promise<void> {
    const connection = await amqp.connect(this.#rabbitmqUrl)
    const channel = await connection.createConfirmChannel()
    this.#running = (async () => {
      while (!this.#isStopped) {
        const startedAt = Date.now()
        for (const [apId, value] of this.values)
          channel.publish(
            exchanges.agents,
            agentRoutingKey(apId, 'data'),
            Buffer.from(JSON.stringify({ ts: startedAt, payload: { [this.#metric]: value } })),
            { persistent: true },
          )
        await channel.waitForConfirms()
        await sleep(Math.max(0, startedAt + intervalMs - Date.now()))
      }
      await connection.close()
    })()
    // The error is thrown by `stop`.
    this.#running.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }
}
