import type { Socket } from 'node:net'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { boundedReading } from '../src/gateway/bounded-reading.ts'
import { inTime } from './drivers.ts'
import { PeerRadio, type UcentralPeer } from './peers/ucentral-device.ts'
import * as messages from './peers/ucentral-messages.ts'
import { Certificates, soon, UcentralWorld } from './ucentral-setup.ts'

const one = '903cb3bb1c1a'
const two = '903cb3bb1c2b'
const messagesOfEach = 1500
const mostOfConnection = 120
const quick = { ...soon, interval: 5 }

let certificates: Certificates
let world: UcentralWorld
beforeAll(() => {
  certificates = new Certificates()
})
afterEach(() => world.close())
afterAll(() => certificates.remove())

/** mulberry32: the same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const radio = new PeerRadio('02:00:00:00:09:00')
radio.add('02:00:00:00:aa:01')
const valid = [
  messages.connect(one),
  messages.state(one, radio.document),
  messages.compressedState(one, radio.document),
  messages.healthcheck(one, 100),
  messages.log(one, 'text', 3),
  messages.event(one, 'client.join', { client: '02:00:00:00:aa:02' }),
  messages.telemetry(one, { state: [[1, radio.document]] }),
  messages.crashlog(one, ['a', 'b']),
  messages.answer(one, 1, { error: 0, text: 'ok' }),
  messages.radius,
]
const odd: unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  '',
  '\ud800',
  '__proto__',
  { toString: 1, valueOf: 1, length: 'x' },
  [],
  {},
  [[[[]]]],
  JSON.parse('{"__proto__": {"clients": 1}}'),
  'x'.repeat(70_000),
]

class Fuzzer {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = numbers(seed)
  }

  /** What a faulty or hostile access point might send. */
  message(): string | Buffer {
    const text = this.#one(valid)
    const kinds = [
      () => this.bytes(1 + this.#below(500)),
      () => this.bytes(1 + this.#below(500)).toString('latin1'),
      () => text.slice(0, this.#below(text.length)),
      () => this.#withOtherBytes(text),
      () => JSON.stringify(this.#withOtherValues(JSON.parse(text), 0)),
      () => this.#compressed(),
      () => '['.repeat(this.#below(50_000)),
      () => text,
    ]
    return this.#one(kinds)()
  }

  #compressed(): string {
    const params = JSON.stringify(this.#withOtherValues({ serial: one, state: radio.document }, 0))
    const data = deflateSync(params)
    if (this.#next() < 0.5) data[this.#below(data.length)] = this.#below(256)
    const size = this.#one<unknown>([params.length, -1, 'x', 2 ** 60])
    return JSON.stringify({
      jsonrpc: '2.0',
      method: 'state',
      params: { compress_64: data.toString('base64'), compress_sz: size },
    })
  }

  #withOtherBytes(text: string): Buffer {
    const data = Buffer.from(text)
    for (let n = 0; n <= this.#below(20); n += 1) data[this.#below(data.length)] = this.#below(256)
    return data
  }

  #withOtherValues(value: unknown, depth: number): unknown {
    if (this.#next() < 0.08) return this.#one(odd)
    if (depth > 12 || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((each) => this.#withOtherValues(each, depth + 1))
    return Object.fromEntries(
      Object.entries(value)
        .filter(() => this.#next() > 0.03)
        .map(([name, each]) => [name, this.#withOtherValues(each, depth + 1)]),
    )
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#below(256)))
  }

  #below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T
  }
}

/** Of a WebSocket of `ws`: for frames that are none. */
const rawSocketOf = (peer: UcentralPeer) => (peer.socket as unknown as { _socket: Socket })._socket

it.each([1, 2])(
  'an access point that sends anything affects neither the gateway nor another access point, seed %i',
  async (seed) => {
    // Otherwise the rest would be refused after some seconds.
    world = await UcentralWorld.open(certificates, {}, { messagesAtOnce: 1e6, bytesAtOnce: 1e12 })
    const [fuzzed, driver] = [await world.driver(one), await world.driver(two)]
    const healthy = await world.connected(two)
    await driver.read(inTime())
    const fuzzer = new Fuzzer(seed)
    const counts: unknown[] = []
    let sentInAll = 0
    for (let n = 0; sentInAll < messagesOfEach; n += 1) {
      const peer = world.peer(one)
      await expect.poll(() => peer.socket.readyState, quick).not.toBe(0)
      for (let sent = 0; sent < mostOfConnection && peer.socket.readyState === 1; sent += 1) {
        peer.socket.send(fuzzer.message())
        sentInAll += 1
        if (sent % 5 === 0) await peer.hasArrived()
      }
      if (n % 5 === 0 && peer.socket.readyState === 1) rawSocketOf(peer).write(fuzzer.bytes(200))
      if (n % 10 === 0) {
        // One that hangs is not read.
        const reading = await fuzzed.read(AbortSignal.timeout(200)).catch(() => undefined)
        if (reading) boundedReading(reading)
        counts.push((await driver.read(inTime())).readings['clients'])
      }
      peer.stop()
    }
    expect(healthy.closed).toBeUndefined()
    expect(new Set(counts)).toEqual(new Set([0]))
    // It is read again as soon as it behaves.
    world.peer(one)
    await expect
      .poll(() => fuzzed.read(inTime()).then(({ readings }) => readings['clients'], String), soon)
      .toBe(0)
  },
  300_000,
)
