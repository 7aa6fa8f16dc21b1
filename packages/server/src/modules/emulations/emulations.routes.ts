import { type EmulationRecord, emulatorOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller, idOf } from '../../access.ts'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import type { EmulationPosition, ListedEmulation } from './emulations.store.ts'
import type { SpinUpService } from './spin-up.service.ts'
import type { StopService } from './stop.service.ts'

interface Deps {
  spinUps: SpinUpService
  stops: StopService
}

export function emulationRoutes(app: FastifyInstance, { spinUps, stops }: Deps): void {
  const { spinUpEmulator, listEmulations, stopEmulation } = operations

  serve(app, spinUpEmulator, async ({ body, caller, by, idempotencyKey }) =>
    spinUps.create({ specs: body.emulators, caller, by, key: idempotencyKey }),
  )

  serve(app, listEmulations, async ({ query: { limit = Number.NaN, after }, caller }, reply) => {
    const page = await stops.list(ownerOf(caller), positionOf(after), limit)
    const last = page.at(-1)
    if (last && page.length === limit)
      linkNext(reply, listEmulations, limit, `${last.beginsAtUs}_${last.jobNumber}`)
    return page.map(toRecord)
  })

  serve(app, stopEmulation, async ({ params, caller, by }) => {
    await stops.stop(params.job_number, ownerOf(caller), by)
    return done('The emulation is stopped. Its agents are removed within a minute.')
  })
}

/** An administrator may see and stop the emulations of all callers. */
const ownerOf = (caller: Caller) =>
  caller.kind === 'user' && caller.rank === 'admin' ? undefined : idOf(caller)

function positionOf(after: string | undefined): EmulationPosition | undefined {
  if (after === undefined) return undefined
  const [, beginsAtUs, jobNumber] = /^(\d{1,16})_(.{1,255})$/.exec(after) ?? []
  if (beginsAtUs === undefined || jobNumber === undefined) throw wrongAfter('the position of an emulation')
  return { beginsAtUs, jobNumber }
}

const toRecord = (emulation: ListedEmulation): EmulationRecord => ({
  job_number: emulation.jobNumber,
  owner: emulation.owner,
  agents: emulation.agents,
  state: emulation.isRunning ? 'running' : 'ended',
  started_at: emulation.beginsAt.toISOString(),
  ends_at: emulation.endsAt.toISOString(),
  removed_at: emulation.removeAt.toISOString(),
})
