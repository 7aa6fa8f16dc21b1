import { longestTokenS } from '../../config.ts'
import { Loop } from '../../loop.ts'
import type { Platform } from '../../module.ts'
import { Revocations } from './revocations.ts'

export type RevocationsModule = ReturnType<typeof createRevocationsModule>

const pollIntervalMs = 400
const forgetIntervalMs = 60_000

export function createRevocationsModule({ config, log, postgres, rabbitMq }: Platform) {
  const revocations = new Revocations({ postgres, rabbitMq, longestTokenS: longestTokenS(config) })
  return {
    revocations,
    background: {
      all: [
        // No token is accepted before the first poll.
        { start: () => revocations.look() },
        new Loop({
          name: 'polling revocations',
          everyMs: pollIntervalMs,
          log,
          round: () => revocations.look(),
        }),
        new Loop({
          name: 'forgetting old revocations',
          everyMs: forgetIntervalMs,
          log,
          round: async () => revocations.forgetOld(),
        }),
      ],
    },
    sweep: () => revocations.sweep(),
  }
}
