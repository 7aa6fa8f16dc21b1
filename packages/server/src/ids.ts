import { randomBytes } from 'node:crypto'

const maxCount = 0xf_ff
/** Of a clock that is set back by more, the new time counts: it may have been hours ahead. */
const maxSetBackMs = 10_000

let lastMs = 0
/** Of ids of the same millisecond. */
let count = 0

/**
 * UUID version 7 [RFC 9562, 5.7]: ordered by time, so that index pages are filled in order. Those of one process are in the
 * order of their creation, also within a millisecond and when the clock is set back by seconds [RFC 9562, 6.2, method 1].
 */
export function newId(): string {
  const bytes = randomBytes(16)
  const nowMs = Date.now()
  if (nowMs > lastMs || nowMs < lastMs - maxSetBackMs) {
    lastMs = nowMs
    // The first bit is 0, to leave room for the next ones.
    count = bytes.readUInt16BE(6) & (maxCount >> 1)
  } else if (count < maxCount) count += 1
  else {
    lastMs += 1
    count = 0
  }
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x70_00 | count, 6)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Other texts name nothing; PostgreSQL would refuse them. */
export const isUuid = (text: string): boolean => uuid.test(text)
