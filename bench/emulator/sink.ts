/**
 * Load sink for measuring the emulator alone: accepts every login, acknowledges every message and only counts.
 * MQTT and HTTP on one port each, in a separate process.
 */
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import mqtt from 'mqtt-packet'

/** Counts since the last query. */
export interface Counted {
  connections: number
  samples: number
  /** Deviation of the interval between two samples of one agent from one second, in milliseconds. */
  jitterMs: number[]
}

const everyMs = 1000
let connections = 0
let samples = 0
let jitterMs: number[] = []

const broker = createServer((socket) => {
  const parser = mqtt.parser({ protocolVersion: 4 })
  let sampledAt = 0
  const record = () => {
    const now = performance.now()
    samples += 1
    if (sampledAt > 0) jitterMs.push(Math.abs(now - sampledAt - everyMs))
    sampledAt = now
  }
  const answer = (packet: mqtt.Packet) => void socket.write(mqtt.generate(packet))
  parser.on('packet', (packet) => {
    if (packet.cmd === 'connect') {
      connections += 1
      answer({ cmd: 'connack', returnCode: 0, sessionPresent: false })
    } else if (packet.cmd === 'subscribe') {
      answer({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: [1] })
    } else if (packet.cmd === 'pingreq') {
      answer({ cmd: 'pingresp' })
    } else if (packet.cmd === 'publish') {
      if (packet.topic.endsWith('/data')) record()
      answer({ cmd: 'puback', messageId: packet.messageId ?? 0 })
    }
  })
  socket.on('data', (bytes) => parser.parse(bytes))
  socket.on('close', () => {
    connections -= 1
  })
  socket.on('error', () => socket.destroy())
  socket.setNoDelay()
})

const token = JSON.stringify({ access_token: 'x'.repeat(300), token_type: 'bearer', expires_in: 86_400 })
const controller = createHttpServer((request, response) => {
  request.resume()
  request.once('end', () => response.setHeader('content-type', 'application/json').end(token))
})

const listening = (server: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
await Promise.all([listening(broker), listening(controller)])
const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port
process.on('message', () => {
  process.send?.({ connections, samples, jitterMs } satisfies Counted)
  samples = 0
  jitterMs = []
})
process.send?.({
  mqttUrl: `mqtt://127.0.0.1:${portOf(broker)}`,
  url: `http://127.0.0.1:${portOf(controller)}`,
})
