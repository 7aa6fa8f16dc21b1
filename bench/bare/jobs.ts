/**
 * The bare path of `jobs`: a request that is published with a confirm, a consumer that makes the same query, and a
 * WebSocket that receives the frames. Fastify, pg and amqplib as their documentation shows them, without persistence.
 */
import { randomUUID } from 'node:crypto'
import websocket from '@fastify/websocket'
import amqp from 'amqplib'
import Fastify from 'fastify'
import pg from 'pg'
import type { WebSocket } from 'ws'

const queue = 'bare.jobs'
const largestChunk = 256 * 1024
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
const broker = await amqp.connect(process.env['RABBITMQ_URL'] ?? '')
const publishing = await broker.createConfirmChannel()
await publishing.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } })

const sockets = new Map<string, WebSocket>()
const results = new Map<string, string[]>()

function deliver(number: string): void {
  const [socket, frames] = [sockets.get(number), results.get(number)]
  if (!socket || !frames) return
  sockets.delete(number)
  results.delete(number)
  for (const frame of frames) socket.send(frame)
  socket.close(1000)
}

const app = Fastify()
await app.register(websocket)
app.post<{ Params: { kind: string }; Querystring: Record<string, string> }>(
  '/jobs/:kind',
  async ({ params, query }) => {
    const number = randomUUID()
    const content = Buffer.from(JSON.stringify({ number, kind: params.kind, query }))
    await new Promise<void>((resolve, reject) => {
      publishing.publish('', queue, content, { persistent: true }, (error: unknown) =>
        error ? reject(error) : resolve(),
      )
    })
    return { job_number: number }
  },
)
app.get<{ Params: { number: string } }>('/ws/:number', { websocket: true }, (socket, { params }) => {
  sockets.set(params.number, socket)
  deliver(params.number)
})

const consuming = await broker.createChannel()
await consuming.prefetch(16)
await consuming.consume(queue, (message) => {
  if (!message) return
  const { number, kind, query } = JSON.parse(message.content.toString())
  void (kind === 'details' ? details() : data(query)).then((items) => {
    results.set(number, framesOf(items))
    consuming.ack(message)
    deliver(number)
  })
})

async function details(): Promise<string[]> {
  const { rows } = await pool.query(
    `select id, ap_id, configuration, onboard, coalesce(fleet.state = 'online', false) as online
     from agents left join fleet using (ap_id) order by ap_id`,
  )
  return rows.map((row) => JSON.stringify(row))
}

async function data(query: Record<string, string>): Promise<string[]> {
  const selector = encodeURIComponent(`{ap_id="${query['agent_id']}"}`)
  const span = `start=${query['start_time']}&end=${query['end_time']}`
  const answer = await fetch(`${process.env['VICTORIA_URL']}/api/v1/export?match[]=${selector}&${span}`)
  const points: { at: number; text: string }[] = []
  for (const line of (await answer.text()).split('\n')) {
    if (line === '') continue
    const { metric, values, timestamps } = JSON.parse(line)
    timestamps.forEach((at: number, n: number) => {
      const point = { time: new Date(at).toISOString(), field: metric.__name__, value: values[n] }
      points.push({ at, text: JSON.stringify(point) })
    })
  }
  return points.sort((a, b) => a.at - b.at).map(({ text }) => text)
}

function framesOf(items: string[]): string[] {
  const frames: string[] = []
  let frame = ''
  for (const item of items) {
    if (frame !== '' && frame.length + item.length > largestChunk) {
      frames.push(`[${frame}]`)
      frame = ''
    }
    frame += frame === '' ? item : `,${item}`
  }
  return [...frames, `[${frame}]`]
}

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
