import type { FastifyInstance } from 'fastify'
import { listOf, tileOriginOf } from '../config.ts'
import { serveConsole } from '../http/console.ts'
import { serveDocs } from '../http/docs.ts'
import { type Health, serveHealth } from '../http/health.ts'
import { createServer } from '../http/server.ts'
import type { Module, Platform } from '../module.ts'
import type { TokensModule } from '../modules/tokens/index.ts'

/** The public listener, with the routes of all modules. */
export async function createApi(
  { config, log, metrics, limits, load, tracing }: Platform,
  { health, tokens, modules }: { health: Health; tokens: TokensModule; modules: readonly Module[] },
): Promise<FastifyInstance> {
  const api = await createServer({
    log,
    metrics,
    tracing,
    identify: (bearer) => tokens.tokens.identify(bearer),
    identifyBasic: tokens.apps,
    rateLimits: config,
    limits,
    load,
    maxRequests: config,
    connectionsPerAddress: config.MANC_CONNECTIONS_PER_ADDRESS,
    bodyLimitBytes: config.MANC_BODY_LIMIT_BYTES,
    maxLargeBodies: config.MANC_LARGE_BODIES,
    refusedBodyBytesPerMinute: config.MANC_REFUSED_BODY_BYTES_PER_MINUTE,
    corsOrigins: listOf(config.MANC_CORS_ORIGINS),
    trustedProxies: listOf(config.MANC_TRUSTED_PROXIES),
  })
  serveHealth(api, health)
  await serveDocs(api)
  await serveConsole(api, {
    ...(config.MANC_MAP_TILES !== undefined && { tileOrigin: tileOriginOf(config.MANC_MAP_TILES) }),
  })
  for (const { routes } of modules) routes?.(api)
  return api
}
