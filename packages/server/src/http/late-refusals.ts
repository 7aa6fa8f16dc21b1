import type { FastifyInstance } from 'fastify'
import type { ReplicaLoad } from '../replica-load.ts'

/** While the replica is busy. Clients are told to wait longer than that (`Retry-After`). */
const maxDelayMs = 1000
/** Delayed at a time, so that their memory is bounded. */
const maxDelayed = 500

/**
 * While the replica is busy, 429 is sent late. A client that ignores it and repeats its request at once then costs little:
 * one request a second for each of its connections, whose number is limited. The service is exempt: a worker that waited for
 * the refusal of a full mailbox would delay the jobs of other callers.
 */
export function delayRefusals(app: FastifyInstance, load: ReplicaLoad): void {
  let delayed = 0
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 429 || request.caller?.kind === 'service') return done(null, payload)
    const delayMs = (1 - load.spare()) * maxDelayMs
    if (delayMs < 1 || delayed >= maxDelayed) return done(null, payload)
    delayed += 1
    // Bodies may be large, and are not needed any more.
    request.body = undefined
    setTimeout(() => {
      delayed -= 1
      done(null, payload)
    }, delayMs)
  })
}
