import type { FleetCells, Health } from '@manc/sdk'
import { colours, type Scheme } from '../ui/colours.ts'
import { technologies } from '../ui/theme.ts'

/** What the colour of an access point on the map shows. */
export const mapColours = ['technology', 'health', 'load'] as const
export type MapColour = (typeof mapColours)[number]

/** Access points of the same colour. */
export interface ColourGroup {
  label: string
  colour: string
  /** Too light on the map without an outline. */
  hasOutline?: true
}

/** The largest number of groups. Clusters count their members by group. */
export const maxGroups = 6

const healthGroups = ['bad', 'degraded', 'offline', 'unknown', 'good'] as const satisfies readonly Health[]
const loadSteps = 5
const loadStepPct = 100 / loadSteps

export function groupsOf(by: MapColour, scheme: Scheme): readonly ColourGroup[] {
  const { technology, alarm, health, load } = colours[scheme]
  if (by === 'technology') return technologies.map((name) => ({ label: name, colour: technology[name] }))
  if (by === 'health')
    return healthGroups.map((name) => ({ label: name, colour: { ...alarm, ...health }[name] }))
  return [
    ...load.map((colour, step) => ({
      label: `${step * loadStepPct} to ${(step + 1) * loadStepPct} %`,
      colour,
      hasOutline: true as const,
    })),
    { label: 'no value', colour: health.unknown },
  ]
}

/** Index of the group of an access point. */
export function groupOf(
  by: MapColour,
  {
    technology,
    health,
    load_pct: loadPct,
  }: Pick<FleetCells['agents'][number], 'technology' | 'health' | 'load_pct'>,
): number {
  if (by === 'technology') return technologies.indexOf(technology)
  if (by === 'health') return healthGroups.indexOf(health)
  if (loadPct === undefined || loadPct === null) return loadSteps
  return Math.max(0, Math.min(loadSteps - 1, Math.floor(loadPct / loadStepPct)))
}

/** The number of access points of a cell in each group: the controller counts them in the same order. */
export function countsOf(by: MapColour, cell: FleetCells['cells'][number]): readonly number[] {
  if (by === 'technology') return cell.technologies
  if (by === 'health') return cell.healths
  // A cell that was read for another colour.
  return cell.loads ?? [...Array<number>(loadSteps).fill(0), cell.agents]
}
