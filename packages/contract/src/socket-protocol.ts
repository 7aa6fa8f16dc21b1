/**
 * The WebSocket of a job: address, subprotocols, acknowledgements and close codes. The messages are in socket.ts. This file
 * imports nothing, so that browsers and the command line can load it alone: `@manc/contract/socket-protocol`.
 */

/** Followed by `/<job_number>`. */
export const socketPath = '/api/v1/ws'
/** The stream of events. */
export const eventStreamPath = '/api/v1/events/stream'

/** Messages carry a sequence number and are acknowledged. Without this subprotocol a client receives bare arrays. */
export const envelopeProtocol = 'manc.v1'
/** Followed by the access token as another subprotocol: browsers cannot set headers on a WebSocket. */
export const bearerProtocol = 'bearer'

/** The subprotocols that a client offers. */
export const socketProtocols = (accessToken: string): string[] => [
  envelopeProtocol,
  bearerProtocol,
  accessToken,
]

/** The access token in a `Sec-WebSocket-Protocol` header. */
export function bearerInProtocols(header: string): string | undefined {
  const offered = header.split(',').map((protocol) => protocol.trim())
  const index = offered.indexOf(bearerProtocol)
  return index < 0 ? undefined : offered[index + 1]
}

export const acknowledgement = (seq: number): string => JSON.stringify({ type: 'ack', seq })

/** The sequence number that a client acknowledges; undefined for any other text. */
export function acknowledgedSeq(text: string): number | undefined {
  try {
    const { type, seq } = JSON.parse(text) as Record<string, unknown>
    return type === 'ack' && Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : undefined
  } catch {
    return undefined
  }
}

/**
 * Codes with which the server closes a socket. After any of them but `done`, `jobFailed` and `replaced` a client may
 * reconnect. `jobFailed` is for clients without envelopes; the others get a message with the reason, and `done`.
 */
export const closeCodes = {
  done: 1000,
  jobFailed: 1011,
  failed: 1011,
  restart: 1012,
  replaced: 4001,
  tokenEnded: 4003,
  slow: 4008,
  idle: 4010,
  tooMany: 4029,
  wrongMessage: 4400,
} as const
