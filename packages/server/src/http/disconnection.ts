import type { FastifyReply } from 'fastify'

/** Aborts when the connection is closed before the response has been sent, or when it has been sent. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}
