import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { silenceRoutes } from './silences.routes.ts'
import { SilenceService } from './silences.service.ts'
import { SilenceStore } from './silences.store.ts'

export function createSilencesModule({ config, postgres, limits }: Platform) {
  const silences = new SilenceService({
    postgres,
    store: new SilenceStore(postgres),
    max: config.MANC_SILENCES,
    maxPerOwner: config.MANC_SILENCES_PER_OWNER,
    maxPatterns: config.MANC_SILENCE_PATTERNS,
    maxPatternsPerOwner: config.MANC_SILENCE_PATTERNS_PER_OWNER,
    onLimit: (limit) => limits.count(limit),
    retentionDays: config.MANC_ALARM_DAYS,
  })
  return {
    routes: (api: FastifyInstance) => silenceRoutes(api, silences),
    sweep: () => silences.sweep(),
  }
}
