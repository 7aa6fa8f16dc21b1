import type {
  AgentDetails,
  AgentState,
  Box,
  EmulatedChoice,
  FleetAgent,
  FleetOrder,
  Health,
  Technology,
} from '@manc/sdk'
import type { Command } from 'commander'
import { wrongUsage } from '../failure.ts'
import { paintState } from '../output/colour.ts'
import { printList } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { ago } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  technology?: Technology[]
  state?: AgentState[]
  health?: Health[]
  sort?: FleetOrder
  search?: string
  area?: Box
  emulated?: EmulatedChoice
  details?: boolean
  report?: boolean
}

export const healthColumn: Column<FleetAgent> = {
  title: 'HEALTH',
  value: ({ health }) => health,
  paint: (text, { health }) => paintState(health, text),
}

export const fleetColumns: Column<FleetAgent>[] = [
  { title: 'AGENT', value: ({ ap_id: apId }) => apId },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'TECHNOLOGY', value: ({ technology }) => technology },
  { title: 'STATE', value: ({ state }) => state, paint: (text, { state }) => paintState(state, text) },
  { title: 'SINCE', value: ({ since }) => ago(since) },
  healthColumn,
  { title: 'LAST SEEN', value: ({ last_seen: lastSeen }) => ago(lastSeen) },
  {
    title: 'POSITION',
    value: ({ position }) => position && `${position.latitude.toFixed(4)},${position.longitude.toFixed(4)}`,
  },
  { title: 'REASON', value: ({ reason }) => reason },
]

const detailColumns: Column<AgentDetails & { online?: boolean }>[] = [
  { title: 'AGENT', value: ({ ap_id: apId }) => apId },
  { title: 'ONBOARD', value: ({ onboard }) => onboard },
  { title: 'CONFIGURATION', value: ({ configuration }) => JSON.stringify(configuration) },
]
const reportColumns = detailColumns.toSpliced(2, 0, { title: 'ONLINE', value: ({ online }) => online })

const none = 'No access points found. To add some: manc agents register, or manc emulate'

export async function listAgents({ details, report, ...filter }: Options, command: Command): Promise<void> {
  if ((details || report) && Object.keys(filter).length > 0)
    throw wrongUsage(
      '--details and --report cannot be combined with filters or an order. Remove one or the other.',
    )
  const manc = await connect(command)
  if (report) return printList(command, manc.agents.report(), reportColumns, none)
  if (details) return printList(command, manc.agents.list(), detailColumns, none)
  return printList(command, manc.fleet.agents(filter), fleetColumns, none)
}
