import type { FastifyInstance } from 'fastify'
import { listOf } from '../../config.ts'
import type { Platform } from '../../module.ts'
import type { JobsModule } from '../jobs/index.ts'
import type { MailboxModule } from '../mailbox/index.ts'
import type { TokensModule } from '../tokens/index.ts'
import { socketRoutes } from './sockets.routes.ts'
import { SocketService } from './sockets.service.ts'
import { type Stream, streamRoutes } from './stream.routes.ts'

export type SocketsModule = ReturnType<typeof createSocketsModule>

interface Uses {
  jobs: JobsModule
  mailbox: MailboxModule
  tokens: TokensModule
}

export function createSocketsModule({ config, log, metrics, limits }: Platform, uses: Uses) {
  const { tokens } = uses.tokens
  const sockets = new SocketService({
    mailbox: uses.mailbox.mailbox,
    messages: uses.jobs.messages,
    limits,
    config,
    log,
  })
  metrics.gauge({
    name: 'manc_sockets',
    help: 'Open WebSockets of this process, by use',
    labels: ['use'],
    read: () => {
      const { all, live } = sockets.counts
      return [
        { labels: { use: 'live' }, value: live },
        { labels: { use: 'result' }, value: all - live },
      ]
    },
  })
  const streams: Stream[] = []
  return {
    sockets,
    /** A WebSocket that is not of a job. Called while modules are created. */
    addStream: (stream: Stream) => void streams.push(stream),
    routes: (api: FastifyInstance) => {
      const options = {
        sockets,
        origins: [new URL(config.MANC_PUBLIC_URL).origin, ...listOf(config.MANC_CORS_ORIGINS)],
        isLive: (bearer: string) => tokens.isLive(bearer),
      }
      socketRoutes(api, { ...options, jobs: uses.jobs.jobs })
      for (const stream of streams) streamRoutes(api, stream, options)
      // Open sockets would keep the listener from closing.
      api.addHook('preClose', () => sockets.stop())
    },
    background: { api: [{ start: () => sockets.start() }] },
  }
}
