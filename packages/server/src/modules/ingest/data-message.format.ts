import { InvalidSample, isNestedDeeper, isObject, maxJsonDepth, payloadOf } from './sample.format.ts'

/** A message on `agent/<ap_id>/data`. A bare array is taken as the list of its samples. */
export function parseDataMessage(content: Buffer): Record<string, unknown> {
  let message: unknown
  try {
    message = JSON.parse(content.toString('utf8'))
  } catch {
    throw new InvalidSample('no JSON')
  }
  if (isNestedDeeper(message, maxJsonDepth)) throw new InvalidSample('nested too deeply')
  if (Array.isArray(message)) return { samples: message }
  if (!isObject(message)) throw new InvalidSample('no JSON object')
  return message
}

/** A sample as received, not validated yet. */
export interface SentSample {
  ts: unknown
  payload: unknown
}

/**
 * The samples of an update or of a message on `agent/<ap_id>/data`: `samples`, or one `payload` with its `ts`, or an
 * object without any of the known members, which is itself the sample.
 */
export function samplesOf(message: Record<string, unknown>): SentSample[] {
  const { samples } = message
  if (Array.isArray(samples)) return samples.map(sentSample)
  const payload =
    payloadOf(message['payload']) ??
    payloadOf(message['data']) ??
    payloadOf(message['metrics']) ??
    payloadOf(message['telemetry'])
  if (payload) return [{ ts: timeOf(message), payload }]
  if ('configuration' in message || 'results' in message) return []
  const { ap_id: _ap_id, ts: _ts, timestamp: _timestamp, time: _time, ...rest } = message
  return Object.keys(rest).length > 0 ? [{ ts: timeOf(message), payload: rest }] : []
}

/** Before they are read: that costs much more. */
export const sampleCountOf = ({ samples }: Record<string, unknown>): number =>
  Array.isArray(samples) ? samples.length : 1

function sentSample(sample: unknown): SentSample {
  if (!isObject(sample)) return { ts: undefined, payload: sample }
  const { payload, data, metrics, telemetry } = sample
  const found = [payload, data, metrics, telemetry].find((each) => each !== undefined)
  if (found !== undefined) return { ts: timeOf(sample), payload: found }
  const { ts: _ts, timestamp: _timestamp, time: _time, ...rest } = sample
  return { ts: timeOf(sample), payload: rest }
}

/** Runs for every message: no array is allocated. */
function timeOf({ ts, timestamp, time }: Record<string, unknown>): unknown {
  if (ts !== undefined) return ts
  return timestamp === undefined ? time : timestamp
}
