/**
 * Publishes samples of a whole fleet at a constant rate, one agent after the other, as the broker's MQTT listener does for
 * connected agents. One AMQP connection instead of one for each agent: the memory of connections is measured elsewhere.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { agentRoutingKey, exchanges } from '@manc/contract'
import amqp from 'amqplib'

export interface Publishing {
  rabbitmqUrl: string
  agents: number
  prefix: string
  perSecond: number
  /** In each sample. */
  metrics: number
}

/** The figures of the fleet are computed from these metrics. */
const figureNames = ['clients', 'throughput_mbps', 'power_w', 'load_pct', 'latency_ms']
const maxUnconfirmed = 5000
const reportIntervalMs = 200

process.once('message', (publishing) => void run(publishing as Publishing))

async function run({ rabbitmqUrl, agents, prefix, perSecond, metrics }: Publishing): Promise<void> {
  const connection = await amqp.connect(rabbitmqUrl)
  const channel = await connection.createConfirmChannel()
  const names = Array.from({ length: metrics }, (_, n) => figureNames[n] ?? `metric_${n}`)
  let sent = 0
  let confirmed = 0
  setInterval(() => process.send?.(confirmed), reportIntervalMs)
  const startedAt = performance.now()
  for (;;) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    for (; sent < due && sent - confirmed < maxUnconfirmed; sent++)
      channel.publish(
        exchanges.agents,
        agentRoutingKey(`${prefix}-${sent % agents}`, 'data'),
        Buffer.from(sampleOf(sent, names)),
        { persistent: true },
        (error) => {
          if (error) throw new Error(`a sample was not accepted: ${String(error)}`)
          confirmed += 1
        },
      )
    await sleep(5)
  }
}

function sampleOf(n: number, names: readonly string[]): string {
  const values = names.map((name, index) => `"${name}":${((n * 7 + index * 13) % 1000) / 10}`)
  return `{"ts":${Date.now()},"payload":{${values.join(',')}}}`
}
