import { type FleetTableRow, fleetTableOperations as operations } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { type Caller } from '../../access.ts'
import { forbidden } from '../../errors.ts'
import { serve } from '../../http/serve.ts'
import { filterOf, toRecord } from './fleet.format.ts'
import type { FleetTableService, TablePage } from './fleet-table.service.ts'

export function fleetTableRoutes(app: FastifyInstance, table: FleetTableService): void {
  serve(app, operations.getFleetTable, async ({ query, caller }) => {
    refuseWithoutMetrics(caller)
    // Validation fills in the contract's defaults for offset and limit.
    const { sort = 'health', order, offset = Number.NaN, limit = Number.NaN } = query
    const asOf = new Date().toISOString()
    const filter = filterOf(caller, query)
    const { total, rows, hasMetrics } = await table.page({ filter, sort, order, window: { offset, limit } })
    return { total, rows: rows.map(toRow), as_of: asOf, has_metrics: hasMetrics }
  })
}

/** The access table demands one scope. */
function refuseWithoutMetrics(caller: Caller): void {
  if (caller.kind === 'third_party_app' && !caller.may('getFleetTable', 'metrics:read')) throw forbidden()
}

const toRow = ({ metrics, ...row }: TablePage['rows'][number]): FleetTableRow => ({
  ...toRecord(row),
  place: row.place,
  version: row.version,
  is_emulated: row.isEmulated,
  ...metrics,
})
