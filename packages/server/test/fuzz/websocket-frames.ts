import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { hostileText, hostileValue } from './hostile-values.ts'

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

interface Frame {
  opcode: number
  payload: Buffer
  isFinal?: boolean
  /** RSV1 to RSV3 [RFC 6455, 5.2]. */
  reserved?: number
  isMasked?: boolean
  /** Instead of the length of the payload; beyond the server's limit, so that it does not wait for the rest. */
  declaredLength?: bigint
}

/** The bytes of one frame, also of one that no client library would send. */
export function bytesOf(frame: Frame): Buffer {
  const { opcode, payload, isFinal = true, reserved = 0, isMasked = true } = frame
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode
  const length = lengthOf(payload.length, frame.declaredLength)
  length[0] = (length[0] ?? 0) | (isMasked ? 0x80 : 0)
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0)
  const content = isMasked ? Buffer.from(payload.map((byte, n) => byte ^ (mask[n % 4] ?? 0))) : payload
  return Buffer.concat([Buffer.from([first]), length, mask, content])
}

function lengthOf(actual: number, declared: bigint | undefined): Buffer {
  if (declared !== undefined || actual > 0xff_ff) {
    const long = Buffer.alloc(9, 127)
    long.writeBigUInt64BE(declared ?? BigInt(actual), 1)
    return long
  }
  if (actual < 126) return Buffer.from([actual])
  const medium = Buffer.alloc(3, 126)
  medium.writeUInt16BE(actual, 1)
  return medium
}

/** The opcodes of the complete frames that a server has sent. It masks none. */
export function opcodesIn(received: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at + 2 <= received.length; ) {
    const short = (received[at + 1] ?? 0) & 0x7f
    const headerBytes = short === 127 ? 10 : short === 126 ? 4 : 2
    if (at + headerBytes > received.length) break
    const length =
      short === 127
        ? Number(received.readBigUInt64BE(at + 2))
        : short === 126
          ? received.readUInt16BE(at + 2)
          : short
    if (at + headerBytes + length > received.length) break
    found.push((received[at] ?? 0) & 0x0f)
    at += headerBytes + length
  }
  return found
}

const textFrame = (text: string): Frame => ({ opcode: opcodes.text, payload: Buffer.from(text) })

const acknowledgement = fc
  .oneof(
    { weight: 4, arbitrary: fc.nat(5) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 31, 2 ** 53 - 1, 999_999_999) },
  )
  .map((seq) => textFrame(JSON.stringify({ type: 'ack', seq })))

/** Frames after which a socket stays open. */
const harmless: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 4, arbitrary: acknowledgement },
  {
    weight: 1,
    arbitrary: fc.record({
      opcode: fc.constantFrom(opcodes.ping, opcodes.pong),
      payload: fc.uint8Array({ maxLength: 125 }).map((bytes) => Buffer.from(bytes)),
    }),
  },
)

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((each) => Buffer.from(each))

const hostile: fc.Arbitrary<Frame> = fc.oneof(
  hostileText.map(textFrame),
  hostileValue.map((value) => textFrame(JSON.stringify(value) ?? '')),
  hostileValue.map((seq) => textFrame(JSON.stringify({ type: 'ack', seq }))),
  fc.constantFrom(4096, 4097, 70_000).map((size) => textFrame('x'.repeat(size))),
  bytes(200).map((payload) => ({ opcode: opcodes.text, payload })),
  bytes(200).map((payload) => ({ opcode: opcodes.binary, payload })),
  bytes(200).map((payload) => ({ opcode: opcodes.continuation, payload })),
  bytes(20).map((payload) => ({ opcode: opcodes.text, payload, isFinal: false })),
  bytes(20).map((payload) => ({ opcode: opcodes.ping, payload, isFinal: false })),
  fc.constant({ opcode: opcodes.ping, payload: Buffer.alloc(126) }),
  fc.record({ opcode: fc.constantFrom(3, 4, 7, 11, 15), payload: bytes(20) }),
  fc.record({
    opcode: fc.constant(opcodes.text),
    payload: bytes(20),
    reserved: fc.integer({ min: 1, max: 7 }),
  }),
  acknowledgement.map((frame) => ({ ...frame, isMasked: false })),
  fc
    .constantFrom(2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n)
    .map((declaredLength) => ({ ...textFrame('{}'), declaredLength })),
  fc.constantFrom(0, 999, 1000, 1004, 1005, 1006, 1015, 4400, 65_535).map((code) => {
    const payload = Buffer.alloc(2)
    payload.writeUInt16BE(code)
    return { opcode: opcodes.close, payload }
  }),
  bytes(130).map((payload) => ({ opcode: opcodes.close, payload })),
)

/** The frames of one connection: the hostile ones last, since most of them end it. */
export const connectionFrames: fc.Arbitrary<Frame[]> = fc
  .tuple(
    fc.array(harmless, { minLength: 2, maxLength: 16 }),
    fc.array(hostile, { minLength: 1, maxLength: 3 }),
  )
  .map(([first, last]) => [...first, ...last])
