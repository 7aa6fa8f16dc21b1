import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deadLetterQueue } from '@manc/contract'
import { startReplica, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { expect, onTestFinished } from 'vitest'
import { startAgentPublisher } from '../abuse/agent-publisher.ts'
import { storedTimes } from './stored-times.ts'

const soon = { timeout: 30_000, interval: 200 }

/** In front of the metrics store: refuses writes that contain a text, as a store with another limit does. */
async function startRefusingProxy(target: string, text: string): Promise<string> {
  const server = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      if (body.includes(text)) return void reply.writeHead(400).end(`cannot parse ${text}`)
      const { method = 'GET', headers, url = '' } = incoming
      const onward = request(target + url, { method, headers }, (response) => {
        reply.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(reply)
      })
      onward.on('error', () => reply.destroy())
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a line that the metrics store refuses is dead-lettered, and the others of its batch are stored', async ({
  environment,
}) => {
  const { engines, rabbitmqUrl, variables } = environment
  const apIds = Array.from({ length: 5 }, () => uniqueName('line'))
  const publisher = await startAgentPublisher(rabbitmqUrl)
  for (const apId of apIds)
    await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  // Before the ingester starts, so that they are in one batch.
  for (const [n, apId] of apIds.entries())
    publisher.publish(
      apId,
      'data',
      n === 2 ? '{"payload":{"refused_metric":1}}' : '{"payload":{"clients":1}}',
    )
  await publisher.confirmed()
  await publisher.close()
  const ingester = await startReplica({
    ...variables,
    MANC_ROLES: 'ingester',
    MANC_VICTORIA_URL: await startRefusingProxy(engines.victoria, 'refused_metric'),
  })
  onTestFinished(() => ingester.stop())
  const stored = () =>
    Promise.all(apIds.map(async (apId) => (await storedTimes(engines.victoria, apId)).length))
  await expect.poll(stored, soon).toEqual([1, 1, 0, 1, 1])
  const connection = await amqp.connect(rabbitmqUrl)
  onTestFinished(() => connection.close())
  const channel = await connection.createChannel()
  const messages: amqp.GetMessage[] = []
  const received = async () => {
    const message = await channel.get(deadLetterQueue)
    if (message) messages.push(message)
    return messages.length
  }
  await expect.poll(received, soon).toBe(1)
  expect(messages[0]?.content.toString()).toContain('refused_metric')
  expect(messages[0]?.properties.headers?.['reason']).toContain('cannot parse')
})
