import { fleetCellOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access.ts'
import { forbidden } from '../../errors.ts'
import { serve } from '../../http/serve.ts'
import { filterOf } from './fleet.format.ts'
import type { FleetCellsService } from './fleet-cells.service.ts'

export function fleetCellsRoutes(app: FastifyInstance, cells: FleetCellsService): void {
  serve(app, operations.getFleetCells, async ({ query, caller }) => {
    if (query.loads) refuseWithoutMetrics(caller)
    return cells.cells(filterOf(caller, query), query.loads === true)
  })
}

/** The access table demands the scope for agents. */
function refuseWithoutMetrics(caller: Caller): void {
  if (caller.kind === 'third_party_app' && !caller.may('getFleetCells', 'metrics:read')) throw forbidden()
}
