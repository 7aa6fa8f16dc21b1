import type { Rollout } from '@manc/contract'
import { onlineAgents, placeholders } from './names.ts'
import { type Parties, send, until } from './parties.ts'
import type { Kind } from './record-kinds.ts'

const list = 'rollouts?limit=1000'

/** The first two are running, the others have paused. Running ones of requests are paused: few may be in progress. */
export function rolloutKind(parties: Parties): Kind {
  let created = 0
  return {
    placeholders: placeholders.rollouts,
    list,
    isUsable: ({ state }, index) => state === stateOf(index),
    async create(index) {
      // Those that are being undone are in progress too.
      await until('rollouts are undone', async () => {
        const stored: Rollout[] = await send(parties, 'GET', list)
        return stored.some(({ state }) => state === 'undoing') ? undefined : stored
      })
      const { id } = await send(parties, 'POST', 'rollouts', {
        agents: onlineAgents.slice(-2),
        // A value that no agent has: else there is nothing to do, and it is completed.
        change: { rollout: ++created },
        wait_s: 86_400,
        max_failures: 10_000,
      })
      if (stateOf(index) === 'paused') await send(parties, 'POST', `rollouts/${id}/pause`)
      return id
    },
    remove: {
      method: 'POST',
      path: (id) => `rollouts/${id}/pause`,
      applies: ({ state }) => state === 'running',
    },
  }
}

const stateOf = (index: number) => (index < 2 ? 'running' : 'paused')
