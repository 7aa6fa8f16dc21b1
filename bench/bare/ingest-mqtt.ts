/** The bare engine of `ingest-mqtt`: joins prepared lines, posts them to the store, acknowledges immediately. */
import { telemetryQueues } from '@manc/contract'
import amqp from 'amqplib'

const connection = await amqp.connect(process.env['RABBITMQ_URL'] ?? '')
const write = `${process.env['VICTORIA_URL']}/write?precision=ms`

for (const queue of telemetryQueues) {
  const channel = await connection.createChannel()
  await channel.prefetch(65_535)
  let lines = ''
  let messages = 0
  let last: amqp.ConsumeMessage | undefined
  let writing = false
  const flush = async () => {
    if (writing || messages === 0 || !last) return
    writing = true
    const [text, upTo] = [lines, last]
    lines = ''
    messages = 0
    const answer = await fetch(write, { method: 'POST', body: text })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the store answered ${answer.status}`)
    channel.ack(upTo, true)
    writing = false
    if (messages >= 1000) void flush()
  }
  await channel.consume(queue, (message) => {
    if (!message) return
    lines += message.content.toString('utf8')
    messages += 1
    last = message
    if (messages >= 1000) void flush()
  })
  setInterval(() => void flush(), 100)
}

process.send?.('ready')
