import { type AgentTopic, deadLetterQueue } from '@manc/contract'
import { uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { expect } from 'vitest'
import { startAgentPublisher } from './agent-publisher.ts'

/** At most 100 KiB at once. */
const it = test.override('variables', {
  MANC_AGENT_BYTES_PER_SECOND: '1024',
  MANC_AGENT_BACKLOG_SECONDS: '100',
})
const messages = 40
const padding = 'x'.repeat(80 * 1024)

it.for<{ topic: AgentTopic; content: string; isDeadLettered: boolean }>([
  { topic: 'onboard', content: JSON.stringify({ padding }), isDeadLettered: true },
  { topic: 'result', content: JSON.stringify({ id: 'unknown', padding }), isDeadLettered: true },
  { topic: 'status', content: JSON.stringify({ status: 'online', padding }), isDeadLettered: false },
])(
  'an agent that sends large messages on $topic is suspended, and few of its bytes are kept',
  async ({ topic, content, isDeadLettered }, { environment }) => {
    const name = uniqueName('large')
    await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
    const publisher = await startAgentPublisher(environment.rabbitmqUrl)
    for (let n = 0; n < messages; n++) publisher.publish(name, topic, content)
    await publisher.confirmed()
    await publisher.close()

    const suspension = async () =>
      (await environment.request('GET', `/api/v1/agents/${name}/rejections`)).body.last_suspension?.reason
    await expect.poll(suspension).toBe('more than 1024 bytes per second')
    const rejected = async () =>
      (await environment.request('GET', `/api/v1/agents/${name}/rejections`)).body.rejected
    await expect
      .poll(rejected)
      .toContainEqual(expect.objectContaining({ reason: 'messages beyond the limit' }))
    const letters: number[] = []
    // What was accepted before is handled after the rejection of what came later.
    await expect
      .poll(async () => letters.push(...(await deadLettersOf(environment.rabbitmqUrl))) > 0)
      .toBe(isDeadLettered)
    process.stdout.write(`${topic}: ${letters.length} dead letters with ${sum(letters)} bytes\n`)
    // Those before the suspension, of each its beginning. On a slow machine a pause is over before the last messages.
    expect(sum(letters)).toBeLessThan((messages * padding.length) / 4)
    expect(Math.max(0, ...letters)).toBeLessThanOrEqual(64 * 1024)
  },
)

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** The sizes of all dead letters, which are removed. */
async function deadLettersOf(url: string): Promise<number[]> {
  const connection = await amqp.connect(url)
  const channel = await connection.createChannel()
  const sizes: number[] = []
  for (;;) {
    const letter = await channel.get(deadLetterQueue, { noAck: true })
    if (!letter) break
    sizes.push(letter.content.length)
  }
  await connection.close()
  return sizes
}
