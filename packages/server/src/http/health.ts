import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'

export interface EngineCheck {
  name: string
  /** Whether the server cannot serve any request without it. */
  required: boolean
  ping: () => Promise<void>
}

/** What `/readyz` reports. */
export interface Health {
  checks: readonly EngineCheck[]
  /** Whether the process is about to close its listeners: load balancers must send no more requests. */
  isStopping: () => boolean
}

const timeoutMs = 1800
/** `/readyz` is public: requests within this time share one check of the engines. */
const keptMs = 1000

/** `/healthz`: the process runs. `/readyz`: the state of each engine; 503 when a required one is down or at shutdown. */
export function serveHealth(app: FastifyInstance, { checks, isStopping }: Health): void {
  app.get('/healthz', { config: { access: 'health' } }, async () => ({ status: 'ok' }))
  const readStates = shared(() =>
    Promise.all(checks.map(async ({ name, required, ping }) => ({ name, required, up: await isUp(ping) }))),
  )
  app.get('/readyz', { config: { access: 'health' } }, async (_request, reply) => {
    const states = await readStates()
    const isServing = states.every(({ required, up }) => up || !required)
    if (!isServing || isStopping()) reply.code(503).header('retry-after', 1)
    return {
      status: isStopping() ? 'stopping' : isServing ? 'ready' : 'unavailable',
      engines: Object.fromEntries(states.map(({ name, up }) => [name, up ? 'up' : 'down'])),
    }
  })
}

function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { result: Promise<T>; atMs: number } | undefined
  return () => {
    if (!last || performance.now() - last.atMs >= keptMs) last = { result: read(), atMs: performance.now() }
    return last.result
  }
}

/** The same for Prometheus. */
export function defineHealthMetrics(metrics: Metrics, checks: readonly EngineCheck[]): void {
  metrics.gauge({
    name: 'manc_engine_up',
    help: 'Whether this process reaches the engine (1) or not (0)',
    labels: ['engine'],
    keepMs: 5000,
    read: () =>
      Promise.all(
        checks.map(async ({ name, ping }) => ({
          labels: { engine: name },
          value: (await isUp(ping)) ? 1 : 0,
        })),
      ),
  })
}

export async function isUp(ping: () => Promise<void>, withinMs = timeoutMs): Promise<boolean> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, withinMs, new Error('no answer'))
  try {
    await Promise.race([ping(), timeout])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
