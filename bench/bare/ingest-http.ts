/** The bare engine of `ingest-http`: Fastify and a confirmed publish with amqplib, without auth or validation. */
import { agentRoutingKey, exchanges } from '@manc/contract'
import amqp from 'amqplib'
import Fastify from 'fastify'

const connection = await amqp.connect(process.env['RABBITMQ_URL'] ?? '')
const channel = await connection.createConfirmChannel()
const app = Fastify()

app.post<{ Body: { ap_id: string } }>('/update', async (request) => {
  const content = Buffer.from(JSON.stringify(request.body))
  await new Promise<void>((resolve, reject) => {
    channel.publish(
      exchanges.agents,
      agentRoutingKey(request.body.ap_id, 'data'),
      content,
      { persistent: true },
      (error) => (error ? reject(error as Error) : resolve()),
    )
  })
  return { status: 'success' }
})

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
