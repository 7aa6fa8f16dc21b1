import { Readable } from 'node:stream'
import { experimentOperations, experimentRunOperations, whatIfOperations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import { isUuid } from '../../ids.ts'
import type { ExperimentRunService } from './experiment-runs.service.ts'
import { runsCsv, seriesCsv, toRecord, toRunDetails, toRunRecord } from './experiments.format.ts'
import { type ExperimentService, viewOf } from './experiments.service.ts'
import { resultsOf } from './results.rules.ts'
import type { WhatIfService } from './what-if.service.ts'

interface Deps {
  experiments: ExperimentService
  runs: ExperimentRunService
  whatIfs: WhatIfService
}

export function experimentRoutes(app: FastifyInstance, { experiments, runs, whatIfs }: Deps): void {
  const {
    createExperiment,
    listExperiments,
    getExperiment,
    getExperimentRun,
    exportExperiment,
    cancelExperiment,
    deleteExperiment,
  } = experimentOperations

  serve(app, createExperiment, async ({ body, caller, by, idempotencyKey: key }) =>
    toRecord(await experiments.create(body, { caller, by, key })),
  )

  serve(app, whatIfOperations.createWhatIf, async ({ body, caller, by, idempotencyKey: key }) =>
    toRecord(await whatIfs.create(body, { caller, by, key })),
  )

  // The limit has a default in the contract, which validation applies.
  serve(
    app,
    listExperiments,
    async ({ query: { limit = Number.NaN, after, owner, state }, caller }, reply) => {
      if (after !== undefined && !isUuid(after)) throw wrongAfter('the id of an experiment')
      const filter = {
        view: viewOf(caller),
        ...(owner !== undefined && { ownerName: owner }),
        ...(state && { states: state }),
      }
      const page = await experiments.page(filter, after, limit)
      if (page.length === limit)
        linkNext(reply, listExperiments, limit, page.at(-1)?.id, textsOf(owner, state))
      return page.map(toRecord)
    },
  )

  serve(app, getExperiment, async ({ params, caller }) => {
    const { experiment, runs: all } = await experiments.getWithRuns(viewOf(caller), params.id)
    return {
      ...toRecord(experiment),
      results: resultsOf(experiment.policies, all),
      run_list: all.map(toRunRecord),
    }
  })

  serve(app, getExperimentRun, async ({ params, caller }) =>
    toRunDetails(await experiments.getRun(viewOf(caller), params.id, params.run)),
  )

  serve(app, exportExperiment, async ({ params, query, caller }, reply) => {
    const experiment = await experiments.get(viewOf(caller), params.id)
    const name = `experiment-${experiment.id}${query.what === 'series' ? '-series' : ''}.csv`
    reply.header('content-disposition', `attachment; filename="${name}"`)
    const lines = experiments.csv(experiment, query.what === 'series' ? seriesCsv : runsCsv)
    return Readable.from(lines, { objectMode: false })
  })

  serve(app, cancelExperiment, async ({ params, caller, by }) =>
    toRecord(await experiments.cancel(caller, params.id, by)),
  )

  serve(app, deleteExperiment, async ({ params, caller, by }) => {
    await experiments.delete(caller, params.id, by)
    return done('The experiment is deleted.')
  })

  serve(app, experimentRunOperations.postExperimentRun, async ({ body }) => {
    await runs.handleReport(body)
    return done('The report is stored.')
  })
}

function textsOf(owner: string | undefined, states: readonly string[] = []): URLSearchParams {
  const texts = new URLSearchParams()
  if (owner !== undefined) texts.append('owner', owner)
  for (const state of states) texts.append('state', state)
  return texts
}
