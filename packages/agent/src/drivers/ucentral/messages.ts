import { inflateSync } from 'node:zlib'
import { isObject, type Json, objectOf } from '../json.ts'

/** The reference client compresses messages of 2 KiB and more, to about a tenth. */
export const maxMessageBytes = 1_048_576
/** Of the inflated parameters: a state has about 1 KiB for each station. */
const maxInflatedBytes = 4 * 1_048_576

/** An access point sends more than is accepted. The connection is closed. */
export class LimitExceeded extends Error {}

/** A notification of an access point, or its answer to a request. */
export type Message =
  | { kind: 'notification'; method: string; params: Json }
  | { kind: 'answer'; id: number; answer: Json }

/**
 * JSON-RPC 2.0, with `compress_64` instead of the parameters if they are compressed. Undefined for everything else: RADIUS
 * packets that an access point passes on, and what is no message. `charge` gets the bytes before they are parsed, and may throw.
 */
export function parseMessage(data: Buffer, charge: (bytes: number) => void): Message | undefined {
  charge(data.length)
  const message = parsed(data.toString('utf8'))
  if (!message || message['jsonrpc'] !== '2.0') return undefined
  const { id, method } = message
  if (typeof id === 'number' && (message['result'] !== undefined || message['error'] !== undefined))
    return { kind: 'answer', id, answer: message }
  if (typeof method !== 'string') return undefined
  const { compress_64: compressed, compress_sz: size } = objectOf(message['params'])
  if (typeof compressed !== 'string')
    return { kind: 'notification', method, params: objectOf(message['params']) }
  // The size is a hint of the access point; what is inflated counts.
  if (typeof size === 'number' && size > maxInflatedBytes) throw new LimitExceeded(sizeText)
  const inflated = inflate(Buffer.from(compressed, 'base64'))
  // What is not valid may have been inflated up to the limit.
  charge(inflated?.length ?? maxInflatedBytes)
  if (!inflated) return undefined
  const params = parsed(inflated.toString('utf8'))
  return params && { kind: 'notification', method, params }
}

/** Undefined if it is not compressed with zlib. */
function inflate(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxInflatedBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new LimitExceeded(sizeText)
    return undefined
  }
}

const sizeText = `a message inflates to more than ${maxInflatedBytes / 1_048_576} MiB`

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The `status` of an answer: 0 is success. The newest firmware writes `txt` in some answers. */
export interface Status {
  error: number
  text: string
  rejected: readonly Json[]
}

export function statusOf(answer: Json): Status {
  const failure = objectOf(answer['error'])
  if (answer['error'] !== undefined && answer['error'] !== null)
    return { error: numberOr(failure['code'], -1), text: textOf(failure['message']), rejected: [] }
  const { status } = objectOf(answer['result'])
  // The answer to `ping` has none.
  if (!isObject(status)) return { error: 0, text: '', rejected: [] }
  const { error, text, txt, rejected } = status
  return {
    error: numberOr(error, 0),
    text: textOf(text ?? txt),
    rejected: Array.isArray(rejected) ? rejected.filter(isObject).slice(0, 20) : [],
  }
}

const maxTextLength = 500

/** Of a device, bounded: it is logged, and sent as the result of a command. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxTextLength).toWellFormed() : ''

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise
