/** The MQTT 3.1.1 packets that the load generator needs. A client library would use more CPU than the system under test. */

export const maxAnswerBytes = 5
export const connack = 0x20
export const puback = 0x40
export const suback = 0x90
const keepAliveS = 600

/** Clean session. Keep-alive of ten minutes, because the agents send no pings. */
export function connectPacket(apId: string, password: string): Buffer {
  const protocol = Buffer.from([
    0,
    4,
    ...Buffer.from('MQTT'),
    4,
    0b1100_0010,
    keepAliveS >> 8,
    keepAliveS & 255,
  ])
  return packet(0x10, Buffer.concat([protocol, text(apId), text(apId), text(password)]))
}

/** Of a packet that the broker sends to an agent for which there is no command. */
export const answerBytes = (type: number | undefined): number => (type === suback ? maxAnswerBytes : 4)

/** QoS 1, as the first packet with an id. `topic` is encoded by `text`. */
export function subscribePacket(topic: Buffer): Buffer {
  return packet(0x82, Buffer.concat([Buffer.from([0, 1]), topic, Buffer.from([1])]))
}

export function disconnectPacket(): Buffer {
  return packet(0xe0, Buffer.alloc(0))
}

/** QoS 1. `topic` is encoded by `text`; the payload is ASCII. */
export function publishPacket(topic: Buffer, packetId: number, payload: string): Buffer {
  const length = topic.length + 2 + payload.length
  const lengthBytes = length < 128 ? 1 : 2
  if (length >= 16_384) throw new Error('samples of this size are not supported')
  const bytes = Buffer.allocUnsafe(1 + lengthBytes + length)
  let at = bytes.writeUInt8(0x32)
  if (lengthBytes === 2) at = bytes.writeUInt8((length & 127) | 128, at)
  at = bytes.writeUInt8(lengthBytes === 2 ? length >> 7 : length, at)
  at += topic.copy(bytes, at)
  at = bytes.writeUInt16BE(packetId, at)
  bytes.write(payload, at, 'latin1')
  return bytes
}

/** A length-prefixed string. */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

function packet(type: number, body: Buffer): Buffer {
  const length: number[] = []
  let rest = body.length
  do {
    length.push((rest & 127) | (rest > 127 ? 128 : 0))
    rest >>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from([type, ...length]), body])
}
