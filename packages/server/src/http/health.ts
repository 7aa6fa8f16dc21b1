import type { FastifyInstance } from 'fastify'

export interface EngineCheck {
  name: string
  /** Whether the server cannot serve any request without it. */
  required: boolean
  ping: () => Promise<void>
}

const timeoutMs = 1800

/** `/healthz`: the process runs. `/readyz`: the state of each engine; 503 when a required one is down. */
export function serveHealth(app: FastifyInstance, checks: readonly EngineCheck[]): void {
  app.get('/healthz', { config: { access: 'health' } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config: { access: 'health' } }, async (_request, reply) => {
    const states = await Promise.all(
      checks.map(async ({ name, required, ping }) => ({ name, required, up: await isUp(ping) })),
    )
    const ready = states.every(({ required, up }) => up || !required)
    if (!ready) reply.code(503).header('retry-after', 1)
    return {
      status: ready ? 'ready' : 'unavailable',
      engines: Object.fromEntries(states.map(({ name, up }) => [name, up ? 'up' : 'down'])),
    }
  })
}

async function isUp(ping: () => Promise<void>): Promise<boolean> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, timeoutMs, new Error('no answer'))
  try {
    await Promise.race([ping(), timeout])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
