import { deeperThan, deepestJson, isObject, payloadOf, UnfitSample } from './samples.ts'

/** The text of a message on `agent/<ap_id>/data`, as an object. */
export function parsedMessage(content: Buffer): Record<string, unknown> {
  let message: unknown
  try {
    message = JSON.parse(content.toString('utf8'))
  } catch {
    throw new UnfitSample('no JSON')
  }
  if (deeperThan(message, deepestJson)) throw new UnfitSample('nested too deeply')
  if (Array.isArray(message)) return { samples: message }
  if (!isObject(message)) throw new UnfitSample('no JSON object')
  return message
}

/** A sample as it was sent, not yet looked into. */
export interface SentSample {
  ts: unknown
  payload: unknown
}

/**
 * The samples of an update or of a message on `agent/<ap_id>/data`: `samples`, or one `payload` with its `ts`, or an
 * object that has none of the known members and is itself the sample.
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

function sentSample(sample: unknown): SentSample {
  if (!isObject(sample)) return { ts: undefined, payload: sample }
  const { payload, data, metrics, telemetry } = sample
  const found = [payload, data, metrics, telemetry].find((each) => each !== undefined)
  if (found !== undefined) return { ts: timeOf(sample), payload: found }
  const { ts: _ts, timestamp: _timestamp, time: _time, ...rest } = sample
  return { ts: timeOf(sample), payload: rest }
}

/** Every message comes through here: no list is made to look for it. */
function timeOf({ ts, timestamp, time }: Record<string, unknown>): unknown {
  if (ts !== undefined) return ts
  return timestamp === undefined ? time : timestamp
}
