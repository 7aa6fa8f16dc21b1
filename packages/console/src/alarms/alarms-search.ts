import type { Alarm, AlarmSummary, Technology } from '@manc/sdk'
import { technologies } from '../ui/theme.ts'

/** The worst first. */
export const severities = ['critical', 'warning', 'info'] as const satisfies readonly Alarm['severity'][]
export type Severity = (typeof severities)[number]
const alarmStates = ['open', 'cleared', 'all'] as const
type AlarmState = (typeof alarmStates)[number]

/** The filter of the list, stored in the address. */
export interface AlarmsFilter {
  severity: Severity[]
  state: AlarmState
  technology: Technology[]
  /** Id of a rule. */
  rule: string | undefined
  acknowledged: 'yes' | 'no' | undefined
  silenced: 'yes' | 'no' | undefined
}

export interface AlarmsSearch {
  severity?: string
  state?: AlarmState
  technology?: string
  rule?: string
  acknowledged?: 'yes' | 'no'
  silenced?: 'yes' | 'no'
}

/** Reads the search parameters; invalid ones are ignored. */
export function parseAlarmsFilter(search: Record<string, unknown>): AlarmsFilter {
  const among = <Name extends string>(names: readonly Name[], value: unknown): Name[] => {
    const selected = typeof value === 'string' ? value.split(',') : []
    return names.filter((name) => selected.includes(name))
  }
  const { rule } = search
  return {
    severity: among(severities, search['severity']),
    state: among(alarmStates, search['state'])[0] ?? 'open',
    technology: among(technologies, search['technology']),
    rule: typeof rule === 'string' && rule !== '' ? rule.slice(0, 64) : undefined,
    acknowledged: among(['yes', 'no'] as const, search['acknowledged'])[0],
    silenced: among(['yes', 'no'] as const, search['silenced'])[0],
  }
}

/** Without the members that have their default. */
export const alarmsSearch = ({
  severity,
  state,
  technology,
  rule,
  acknowledged,
  silenced,
}: AlarmsFilter): AlarmsSearch => ({
  ...(severity.length > 0 && { severity: severity.join(',') }),
  ...(state !== 'open' && { state }),
  ...(technology.length > 0 && { technology: technology.join(',') }),
  ...(rule !== undefined && { rule }),
  ...(acknowledged && { acknowledged }),
  ...(silenced && { silenced }),
})

/** As the controller expects it. */
export const alarmsQuery = ({ severity, state, technology, rule, acknowledged, silenced }: AlarmsFilter) => ({
  state,
  ...(severity.length > 0 && { severity }),
  ...(technology.length > 0 && { technology }),
  ...(rule !== undefined && { rule }),
  ...(acknowledged && { acknowledged: textOf(acknowledged) }),
  ...(silenced && { silenced: textOf(silenced) }),
})

/** Whether the summary, which is of all open alarms, has the counts of the list. */
export const hasCounts = ({ state, technology, rule, acknowledged }: AlarmsFilter): boolean =>
  state === 'open' && technology.length === 0 && rule === undefined && acknowledged === undefined

const textOf = (choice: 'yes' | 'no'): 'true' | 'false' => (choice === 'yes' ? 'true' : 'false')

/** How many alarms of a severity the list has, and what some of them are: `12 critical (3 new, 2 silenced)` */
export function countsOf(
  { acknowledged, unacknowledged, silenced, inhibited }: AlarmSummary[Severity],
  choice: AlarmsFilter['silenced'],
): { total: number; notes: { count: number; name: 'new' | 'silenced' | 'inhibited' }[] } {
  if (choice === 'yes') return { total: silenced, notes: [] }
  const shownSilenced = choice === 'no' ? 0 : silenced
  const total = acknowledged + unacknowledged + shownSilenced + inhibited
  return {
    total,
    notes: [
      ...(unacknowledged > 0 && unacknowledged < total
        ? [{ count: unacknowledged, name: 'new' as const }]
        : []),
      ...(shownSilenced > 0 ? [{ count: shownSilenced, name: 'silenced' as const }] : []),
      ...(inhibited > 0 ? [{ count: inhibited, name: 'inhibited' as const }] : []),
    ],
  }
}
