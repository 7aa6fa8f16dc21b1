import type { FastifyInstance } from 'fastify'

/** An engine's name, whether we can serve at all without it, and how to ask it. */
export interface EngineCheck {
  name: string
  required: boolean
  ping: () => Promise<void>
}

const answerWithinMs = 1800

/** `/healthz`: the process lives. `/readyz`: it can serve, engine by engine; 503 where a required one is down. */
export function serveHealth(app: FastifyInstance, checks: readonly EngineCheck[]): void {
  app.get('/healthz', { config: { access: 'health' } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: { access: 'health' } }, async (_request, reply) => {
    const states = await Promise.all(
      checks.map(async ({ name, required, ping }) => ({ name, required, up: await answers(ping) })),
    )
    const ready = states.every(({ required, up }) => up || !required)
    if (!ready) reply.code(503).header('retry-after', 1)
    return {
      status: ready ? 'ready' : 'unavailable',
      engines: Object.fromEntries(states.map(({ name, up }) => [name, up ? 'up' : 'down'])),
    }
  })
}

async function answers(ping: () => Promise<void>): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, answerWithinMs, new Error('no answer'))
  try {
    await Promise.race([ping(), late])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
