import { longestTokenS } from '../../config.ts'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import { Revocations } from './revocations.service.ts'
import { RevocationStore } from './revocations.store.ts'

export type RevocationsModule = ReturnType<typeof createRevocationsModule>

const pollIntervalMs = 400
const evictIntervalMs = 60_000

export function createRevocationsModule({ config, log, postgres, rabbitMq }: Platform) {
  const revocations = new Revocations({
    postgres,
    store: new RevocationStore(postgres),
    rabbitMq,
    longestTokenS: longestTokenS(config),
  })
  return {
    revocations,
    background: {
      all: [
        // No token is accepted before the first poll.
        { start: () => revocations.poll() },
        new Loop({
          name: 'polling revocations',
          intervalMs: pollIntervalMs,
          log,
          run: () => revocations.poll(),
        }),
        new Loop({
          name: 'evicting old revocations',
          intervalMs: evictIntervalMs,
          log,
          run: async () => revocations.evictOld(),
        }),
      ],
    },
    sweep: () => revocations.sweep(),
  }
}
