import { decisionOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { Caller } from '../../access.ts'
import { invalid } from '../../errors.ts'
import { jsonLines } from '../../http/json-streams.ts'
import { linkNext } from '../../http/paging.ts'
import { serve } from '../../http/serve.ts'
import { isUuid } from '../../ids.ts'
import { toRecord } from './decisions.format.ts'
import type { DecisionService } from './decisions.service.ts'
import type { DecisionFilter, DecisionView } from './decisions.types.ts'
import type { ProposalService } from './proposals.service.ts'

type Query = Static<typeof operations.exportDecisions.query>

export function decisionRoutes(
  app: FastifyInstance,
  { decisions, proposals }: { decisions: DecisionService; proposals: ProposalService },
): void {
  serve(app, operations.createDecision, async ({ body, caller, by, idempotencyKey: key }) =>
    toRecord(await decisions.create(body, { caller, by, key })),
  )

  // The limit has a default in the contract, which validation applies.
  serve(
    app,
    operations.listDecisions,
    async ({ query: { limit = Number.NaN, after, ...query }, caller }, reply) => {
      if (after !== undefined && !isUuid(after)) throw wrongAfter()
      const page = await decisions.page(filterOf(query, caller), after, limit)
      if (page.length === limit)
        linkNext(reply, operations.listDecisions, limit, page.at(-1)?.id, textsOf(query))
      return page.map(toRecord)
    },
  )

  serve(app, operations.exportDecisions, async ({ query, caller }) =>
    jsonLines(decisions.all(filterOf(query, caller))),
  )

  serve(app, operations.getDecision, async ({ params, caller }) =>
    toRecord(await decisions.get(viewOf(caller), params.id)),
  )

  serve(app, operations.confirmDecision, async ({ params, caller, by }) =>
    toRecord(await proposals.confirm(params.id, caller, by)),
  )

  serve(app, operations.rejectDecision, async ({ params, by }) =>
    toRecord(await proposals.reject(params.id, by)),
  )
}

const viewOf = (caller: Caller): DecisionView => ({
  app: caller.kind === 'third_party_app' ? { id: caller.id, patterns: caller.agents } : undefined,
})

const filterOf = (
  { owner, ap_id: apId, client, state, from, to }: Query,
  caller: Caller,
): DecisionFilter => ({
  view: viewOf(caller),
  ...(owner !== undefined && { owner }),
  ...(apId !== undefined && { apId }),
  ...(client !== undefined && { client }),
  ...(state && { states: state }),
  ...(from && { from }),
  ...(to && { to }),
})

function textsOf({ owner, ap_id: apId, client, state = [], from, to }: Query): URLSearchParams {
  const texts = new URLSearchParams()
  if (owner !== undefined) texts.append('owner', owner)
  if (apId !== undefined) texts.append('ap_id', apId)
  if (client !== undefined) texts.append('client', client)
  for (const each of state) texts.append('state', each)
  if (from) texts.append('from', from.toISOString())
  if (to) texts.append('to', to.toISOString())
  return texts
}

function wrongAfter() {
  const msg = 'Value error, after should be the id of a decision: follow the Link header'
  return invalid([{ loc: ['query', 'after'], msg, type: 'value_error' }])
}
