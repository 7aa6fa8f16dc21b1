import { eventKinds } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { DatedPartitions } from '../../engines/postgres.partitions.ts'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import { EventQuota } from './event-quota.cache.ts'
import { eventRoutes } from './events.routes.ts'
import { EventService } from './events.service.ts'
import { EventStore } from './events.store.ts'

export type EventsModule = ReturnType<typeof createEventsModule>

const storeCountsIntervalMs = 5000

interface Parts extends Pick<Platform, 'log' | 'postgres' | 'limits' | 'metrics'> {
  config: Pick<Config, 'MANC_AGENT_EVENTS_PER_HOUR' | 'MANC_EVENT_DAYS'>
}

export function createEventsModule({ config, log, postgres, limits, metrics }: Parts) {
  const perHour = config.MANC_AGENT_EVENTS_PER_HOUR
  const store = new EventStore(postgres)
  const events = new EventService({
    store,
    partitions: new DatedPartitions(postgres, {
      table: 'events',
      column: 'at',
      partitionS: 86_400,
      deleteOther: (keepS, max) => store.deleteOther(keepS, max),
    }),
    quota: new EventQuota(perHour),
    perHour,
    retentionDays: config.MANC_EVENT_DAYS,
    onSuppressed: () => limits.count('MANC_AGENT_EVENTS_PER_HOUR'),
    countAppended: metrics.counter({
      name: 'manc_events_total',
      help: 'Events that this process has appended, by kind',
      labels: ['kind'],
      initial: eventKinds.map((kind) => ({ kind })),
    }),
  })
  const storingCounts = new Loop({
    name: 'counting suppressed events',
    intervalMs: storeCountsIntervalMs,
    log,
    run: () => events.storeCounts(),
  })
  return {
    events,
    routes: (api: FastifyInstance) => eventRoutes(api, events),
    sweep: () => events.sweep(),
    background: {
      all: [
        {
          // Before the first event. Without its partition an event is stored in the default one.
          start: async () => {
            await events
              .sweep()
              .catch((error: unknown) =>
                log.warn({ err: error }, 'the partitions of events are not current; retrying'),
              )
            storingCounts.start()
          },
          stop: () => storingCounts.stop(),
        },
      ],
    },
  }
}
