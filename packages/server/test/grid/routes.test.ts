import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Operation, operations } from '@manc/contract'
import { createEnvironment, type Replica, startReplica, type TestEnvironment } from '@manc/harness'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import document from '../../../../docs/openapi.json' with { type: 'json' }
import { createServer } from '../../src/http/server.ts'
import { Limits } from '../../src/limits.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { Tracing } from '../../src/tracing.ts'

/** The interface, by its numbers. */
const numbered = [
  [1, 'POST', '/api/v1/token/'],
  [2, 'POST', '/api/v1/users/public'],
  [3, 'POST', '/api/v1/users/signup'],
  [4, 'POST', '/api/v1/users/password-recovery'],
  [5, 'POST', '/api/v1/users/reset-password'],
  [6, 'GET', '/api/v1/users/'],
  [7, 'POST', '/api/v1/users/'],
  [8, 'GET', '/api/v1/users/{username}'],
  [9, 'PUT', '/api/v1/users/{username}'],
  [10, 'DELETE', '/api/v1/users/{username}'],
  [11, 'GET', '/api/v1/users/me'],
  [12, 'POST', '/api/v1/agents/public'],
  [13, 'POST', '/api/v1/agents/'],
  [14, 'GET', '/api/v1/agents/{ap_id}'],
  [15, 'PUT', '/api/v1/agents/{ap_id}'],
  [16, 'DELETE', '/api/v1/agents/{ap_id}'],
  [17, 'POST', '/api/v1/third_party_apps/'],
  [18, 'GET', '/api/v1/third_party_apps/{app_name}'],
  [19, 'PUT', '/api/v1/third_party_apps/{app_name}'],
  [20, 'DELETE', '/api/v1/third_party_apps/{app_name}'],
  [21, 'POST', '/api/v1/agent_update/update'],
  [22, 'POST', '/api/v1/agent_details/request_all_agents_details'],
  [23, 'POST', '/api/v1/agent_data/request_agent_data'],
  [24, 'POST', '/api/v1/send_command'],
  [25, 'POST', '/api/v1/emulator/spinup'],
  [26, 'GET', '/api/v1/metrics/agent_details'],
  [27, 'GET', '/api/v1/metrics/agent_data'],
  [28, 'GET', '/api/v1/metrics/agent_multi_metric_data'],
  [29, 'GET', '/api/v1/metrics/agent_metrics'],
  [30, 'POST', '/api/v1/callback/agent_data'],
  [31, 'POST', '/api/v1/callback/agent_details'],
  [32, 'POST', '/api/v1/callback/emulator'],
] as const

/** Recorded by `npm run docs`, so that a new, changed or removed route is a line in the diff of a change. */
const recorded = Object.entries<Record<string, { operationId: string; 'x-extension'?: boolean }>>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { 'x-extension': isExtension }]) => ({
    method: method.toUpperCase(),
    path,
    isExtension: isExtension === true,
  })),
)

const sockets = [
  ['GET', '/api/v1/ws/{job_number}'],
  ['GET', '/api/v1/callback/agent_data/ws/{job_number}'],
  ['GET', '/api/v1/callback/agent_details/ws/{job_number}'],
  ['GET', '/api/v1/callback/emulator/ws/{job_number}'],
  ['GET', '/api/v1/events/stream'],
] as const

describe('the interface', () => {
  const all = Object.values<Operation>(operations)

  it('is described by the contract: all 32 operations by their numbers', () => {
    const found = all
      .filter(({ number }) => number !== undefined)
      .map(({ number, method, path }) => [number, method, path])
    expect(found.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual(numbered)
  })

  it('and the recorded document lists the same 32, everything else as an extension', () => {
    const found = recorded
      .filter(({ isExtension }) => !isExtension)
      .map(({ method, path }) => `${method} ${path}`)
    expect(found.sort()).toEqual(numbered.map(([, method, path]) => `${method} ${path}`).sort())
  })
})

describe('a running server', () => {
  const listeners: RouteOptions[][] = []
  let environment: TestEnvironment
  let server: Replica

  beforeAll(async () => {
    subscribe('fastify.initialization', collect)
    environment = await createEnvironment(inject('engines'))
    server = await startReplica(environment.variables)
  })
  afterAll(async () => {
    unsubscribe('fastify.initialization', collect)
    await server?.stop()
    await environment?.drop()
  })

  it('serves the recorded routes and the sockets under /api, and no others', () => {
    const pinned = [...recorded.map(({ method, path }) => [method, path] as const), ...sockets]
    const expected = pinned.map(([method, path]) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
    expect(publicRoutes().filter((route) => route.includes('/api/'))).toEqual(expected.sort())
  })

  it('serves health, the OpenAPI document and its page outside of /api, and no others', () => {
    const others = publicRoutes().filter((route) => !/ \/api\/| \/docs(\/|$)/.test(route))
    const ofTheConsole = routesOf(({ config }) => config?.access === 'console')
    expect(others.filter((route) => !ofTheConsole.includes(route))).toEqual([
      'GET /healthz',
      'GET /openapi.json',
      'GET /readyz',
    ])
  })

  it('serves the console only as files', () => {
    const routes = routesOf(({ config }) => config?.access === 'console')
    expect(routes).toContain('GET /')
    expect(routes.filter((route) => !/^(GET|HEAD) \/(?!api\/|docs)/.test(route))).toEqual([])
  })

  function collect(message: unknown): void {
    const { fastify } = message as { fastify: FastifyInstance }
    const routes: RouteOptions[] = []
    listeners.push(routes)
    fastify.addHook('onRoute', (route) => void routes.push(route))
  }

  function routesOf(wanted: (route: RouteOptions) => boolean): string[] {
    const routes = listeners.find((some) => some.some(({ url }) => url === '/api/v1/token/')) ?? []
    return routes
      .filter(wanted)
      .flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`))
      .sort()
  }

  function publicRoutes(): string[] {
    return routesOf(() => true)
  }
})

describe('a route without an entry in the access table', () => {
  it('prevents the start and is named in the error', async () => {
    const app = await emptyServer()
    app.post('/api/v1/forgotten', async () => 'never')
    await expect(app.ready()).rejects.toThrow('POST /api/v1/forgotten is not in the access table')
  })

  it('prevents the start when its entry is misspelt', async () => {
    const app = await emptyServer()
    app.get('/api/v1/misspelt', { config: { access: 'getUsr' } }, async () => 'never')
    await expect(app.ready()).rejects.toThrow('GET /api/v1/misspelt')
  })

  it('prevents the start when a plugin adds it', async () => {
    const app = await emptyServer()
    await app.register(async (plugin) => {
      plugin.put('/hidden', async () => 'never')
    })
    await expect(app.ready()).rejects.toThrow('PUT /hidden')
  })

  it('differs from a route with an entry, which is served', async () => {
    const app = await emptyServer()
    app.get('/api/v1/users/me', { config: { access: 'getMe' } }, async () => 'me')
    await app.ready()
    expect((await app.inject('/api/v1/users/me')).statusCode).toBe(401)
    await app.close()
  })
})

function emptyServer(): Promise<FastifyInstance> {
  const log = createLog('silent')
  const metrics = new Metrics(log)
  return createServer({
    log,
    identify: async () => ({ kind: 'anonymous' }),
    identifyBasic: { known: () => undefined, verify: async () => ({ kind: 'anonymous' }) },
    metrics,
    tracing: new Tracing({ url: undefined, headers: {}, ratio: 0, attributes: {}, log }),
    rateLimits: {
      MANC_RATE_ANONYMOUS_PER_MINUTE: 10,
      MANC_RATE_CALLER_PER_MINUTE: 10,
      MANC_RATE_AGENT_PER_MINUTE: 10,
      MANC_SIGNUPS_PER_MINUTE: 10,
      MANC_RECOVERIES_PER_MINUTE: 10,
    },
    limits: new Limits(metrics),
    load: { spare: () => 1 },
    maxRequests: { MANC_CONCURRENT_REQUESTS: 48, MANC_USER_CONCURRENT_REQUESTS: 6 },
    connectionsPerAddress: 5000,
    bodyLimitBytes: 1000,
    maxLargeBodies: 1,
    refusedBodyBytesPerMinute: 1000,
    corsOrigins: [],
    trustedProxies: [],
  })
}
