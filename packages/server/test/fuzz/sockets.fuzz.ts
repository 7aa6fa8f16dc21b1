import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { Duplex } from 'node:stream'
import { call } from '@manc/harness'
import fc from 'fast-check'
import { type CallerName, callerNames } from './callers.ts'
import type { FuzzEnvironment } from './environment.ts'
import type { Findings } from './findings.ts'
import { hostileText } from './hostile-values.ts'
import { unlessBusy } from './http-exchange.ts'
import { passwordMark, victims } from './names.ts'
import { inParallel } from './parallel.ts'
import { bytesOf, connectionFrames, opcodes, opcodesIn } from './websocket-frames.ts'

const chunkSize = 100
const concurrency = 8
/** A server that has read an invalid frame closes the socket within this time; else it answers a ping. */
const answeredWithinMs = 30_000

interface Connection {
  caller: CallerName
  path: string
  protocols: string
  frames: Buffer[]
}

const oftenValid = <T>(valid: T[], odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...valid) }, { weight: 1, arbitrary: odd })

const header = hostileText.map((text) => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 100))

const connection: fc.Arbitrary<Connection> = fc
  .record({
    caller: fc.oneof(
      { weight: 10, arbitrary: fc.constant<CallerName>('admin') },
      { weight: 1, arbitrary: fc.constantFrom(...callerNames) },
    ),
    prefix: fc.constantFrom(
      'ws',
      'ws',
      'callback/agent_data/ws',
      'callback/agent_details/ws',
      'callback/emulator/ws',
      'events/stream',
    ),
    job: oftenValid(victims.jobs, hostileText),
    after: oftenValid(
      ['', '?after=0', '?after=1'],
      header.map((text) => `?after=${text}`),
    ),
    protocols: oftenValid(['manc.v1', 'manc.v1', ''], header),
    frames: connectionFrames,
  })
  .map(({ caller, prefix, job, after, protocols, frames }) => ({
    caller,
    path:
      prefix === 'events/stream'
        ? `/api/v1/${prefix}${after}`
        : `/api/v1/${prefix}/${encodeURIComponent(job.toWellFormed())}${after}`,
    protocols,
    frames: frames.map(bytesOf),
  }))

/** Hostile frames on the sockets of jobs, and on the stream of events. */
export async function fuzzSockets(
  environment: FuzzEnvironment,
  { frames, seed }: { frames: number; seed: number },
  findings: Findings,
) {
  const counts = { frames: 0, connections: 0, refused: 0 }
  const token = await environment.adminToken()

  const run = async (each: Connection) => {
    const report = (problem: string, evidence = '') =>
      findings.add({
        problem,
        where: 'socket',
        evidence: `${each.caller} ${each.path} ${each.protocols}\n${lastFrames(each)}\n${evidence}`,
      })
    const server = environment.servers[counts.connections++ % environment.servers.length]
    const opened = await unlessBusy(() =>
      open(server?.url ?? '', each, environment.callers.headersOf(each.caller)),
    )
    if (!opened.socket) {
      counts.refused += 1
      if (opened.status >= 500 || opened.status < 400)
        report(`the upgrade was answered with ${opened.status}`)
      return
    }
    counts.frames += each.frames.length
    const received = await converse(opened.socket, each.frames)
    if (received === undefined) report('the server neither closed the socket nor answered a ping')
    else if (received.includes(passwordMark)) report('a password was sent')
  }

  for (let chunk = 0; counts.frames < frames; chunk++) {
    // Else a defect that refuses every socket would be a run without end.
    if (counts.frames === 0 && counts.refused > 10 * chunkSize) throw new Error('every socket was refused')
    for (const job of victims.jobs)
      await call(environment.url, 'POST', `/api/v1/callback/agent_data?job_number=${job}`, {
        token,
        body: [chunk],
      })
    await inParallel(fc.sample(connection, { seed: seed + chunk, numRuns: chunkSize }), concurrency, run)
  }
  return counts
}

const lastFrames = ({ frames }: Connection) =>
  frames
    .slice(-3)
    .map((frame) => frame.subarray(0, 60).toString('hex'))
    .join('\n')

/** Upgrades without a client library: it would refuse to send these frames. */
function open(
  url: string,
  { path, protocols }: Connection,
  authorization: Record<string, string>,
): Promise<{ status: number; socket?: Duplex }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const request = http.request({
      // A connection of its own: the server closes it after a refusal.
      agent: false,
      hostname,
      port,
      path,
      headers: {
        ...authorization,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        ...(protocols !== '' && { 'sec-websocket-protocol': protocols }),
      },
    })
    request.on('upgrade', (_response, socket) => resolve({ status: 101, socket }))
    request.on('response', (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    request.on('error', () => resolve({ status: 0 }))
    request.end()
  })
}

/** Sends the frames and a ping. What the server has sent until it closed the socket or answered; undefined if it did neither. */
function converse(socket: Duplex, frames: readonly Buffer[]): Promise<string | undefined> {
  const payload = randomBytes(8)
  const pong = Buffer.concat([Buffer.from([0x80 | opcodes.pong, payload.length]), payload])
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const end = (isAnswered: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isAnswered ? received.toString('utf8') : undefined)
    }
    const timer = setTimeout(() => end(false), answeredWithinMs)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.includes(pong) || opcodesIn(received).includes(opcodes.close)) end(true)
    })
    socket.on('error', () => end(true))
    socket.on('close', () => end(true))
    socket.on('end', () => end(true))
    for (const frame of frames) socket.write(frame)
    socket.write(bytesOf({ opcode: opcodes.ping, payload }))
  })
}
