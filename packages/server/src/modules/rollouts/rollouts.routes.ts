import {
  rolloutOperations as operations,
  type RolloutAgent as RolloutAgentOut,
  type Rollout as RolloutOut,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { linkNext } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import type { RolloutService } from './rollouts.service.ts'
import type { Rollout, RolloutAgent } from './rollouts.types.ts'

export function rolloutRoutes(app: FastifyInstance, rollouts: RolloutService): void {
  serve(app, operations.previewRollout, async ({ body, caller }) => rollouts.preview(body, caller))

  serve(app, operations.createRollout, async ({ body, caller, by }) =>
    toRecord(await rollouts.create(body, caller, by)),
  )

  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listRollouts, async ({ query: { limit = Number.NaN, after } }, reply) => {
    const page = await rollouts.page(after, limit)
    if (page.length === limit) linkNext(reply, operations.listRollouts, limit, page.at(-1)?.id)
    return page.map(toRecord)
  })

  serve(app, operations.getRollout, async ({ params }) => toRecord(await rollouts.get(params.id)))

  serve(app, operations.listRolloutAgents, async ({ params, query }, reply) => {
    const { limit = Number.NaN, after = '', state } = query
    const page = await rollouts.agents(params.id, { state, after, limit })
    const path = operations.listRolloutAgents.path.replace('{id}', encodeURIComponent(params.id))
    const filters = new URLSearchParams(state && { state })
    if (page.length === limit) linkNext(reply, { path }, limit, page.at(-1)?.apId, filters)
    return page.map(toAgentRecord)
  })

  serve(app, operations.pauseRollout, async ({ params, by }) => {
    await rollouts.pause(params.id, by)
    return done('The rollout is paused. What was changed stays changed.')
  })

  serve(app, operations.resumeRollout, async ({ params, caller, by }) => {
    await rollouts.resume(params.id, caller, by)
    return done('The rollout continues.')
  })

  serve(app, operations.undoRollout, async ({ params, caller, by }) => {
    await rollouts.undo(params.id, caller, by)
    return done('The rollout is being undone.')
  })
}

const toRecord = (rollout: Rollout): RolloutOut => ({
  id: rollout.id,
  title: rollout.title,
  state: rollout.state,
  detail: rollout.detail,
  change: JSON.parse(rollout.change),
  agents: rollout.agents,
  stage: rollout.stage,
  next_at: rollout.isObserving && rollout.state === 'running' ? rollout.dueAt.toISOString() : null,
  wait_s: rollout.waitS,
  max_failures: rollout.maxFailures,
  progress: rollout.progress,
  owner: rollout.ownerName,
  created_by: rollout.createdBy,
  created_at: rollout.createdAt.toISOString(),
  changed_at: rollout.stateAt.toISOString(),
})

const toAgentRecord = ({ apId, stage, state, detail, version, at }: RolloutAgent): RolloutAgentOut => ({
  ap_id: apId,
  stage,
  state,
  detail,
  version,
  at: at?.toISOString() ?? null,
})
