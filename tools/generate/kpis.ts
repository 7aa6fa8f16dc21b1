import { healthDefaults } from '../../packages/contract/src/health.ts'
import { type Conversion, type KpiSource, kpiSources } from '../../packages/contract/src/kpi-sources.ts'
import {
  type Kpi,
  type KpiName,
  kpiNames,
  kpis,
  signalRanges,
  type Thresholds,
} from '../../packages/contract/src/kpis.ts'

const { seconds, samples, absentSeconds } = healthDefaults

/** docs/kpis.md: the KPI model. */
export function kpisPage(): string {
  return [
    '# KPIs',
    '',
    'KPIs are the metrics by which access points of different technologies can be compared. Their labels, units and directions are',
    'the same in the API and the console; the console marks values beyond the thresholds. This page is generated from',
    '`kpis.ts`, `kpi-sources.ts` and `health.ts` in `packages/contract/src` by `npm run docs`.',
    '',
    '| KPI | meaning | unit | better | degraded | bad |',
    '|---|---|---|---|---|---|',
    ...kpiNames.map((name) => rowOf(name, kpis[name])),
    '',
    'Send the metrics under these names. `signal_quality` has no standard definition. For emulated access points it is a straight',
    'line between two signal-to-noise ratios:',
    '',
    '| technology | 0 | 1 |',
    '|---|---|---|',
    ...Object.entries(signalRanges).map(
      ([technology, [worst, best]]) => `| ${technology} | ${worst} dB | ${best} dB |`,
    ),
    '',
    '## Health',
    '',
    'The health of an access point is that of its worst KPI: `good`, `degraded` or `bad`.',
    '',
    `- A KPI counts as degraded or bad once all its samples of ${seconds} s, at least ${samples}, were at that level or worse. It is better`,
    `  again once they were better for as long. The time is that of the samples; \`MANC_HEALTH_SECONDS\` changes it.`,
    '- `unknown`: no sample had a KPI with thresholds, or the first ones were not good and the time has not passed. The first good sample',
    '  makes it `good`.',
    '- `offline`: the state of the access point is offline. When it is back, it has the health that it had before.',
    '- Missing samples change nothing: a stale access point keeps its health. A KPI that samples no longer contain does not count after',
    `  ${absentSeconds / 60} minutes.`,
    '- A sample that is older than the newest one of the access point changes nothing. A sample of the future counts for the time when',
    '  it arrived.',
    '- Signal quality does not count while a sample says that there are 0 clients.',
    '- The reasons name each KPI that is degraded or bad, the value when it reached that level, and the time of the first sample at that',
    '  level. They are not written again while the level stays the same.',
    '',
    '## Names of standards',
    '',
    'Agents may send these metrics instead. If a sample has several for one KPI, the KPI itself counts, or else the first in this',
    'list. They are stored as sent. Health uses those of KPIs with thresholds; figures of the fleet contain only values that are sent under',
    'the name of the KPI.',
    '',
    '| KPI | metric | standard | unit | KPI = | only of |',
    '|---|---|---|---|---|---|',
    ...kpiNames.flatMap((name) => (kpiSources[name] ?? []).map((source) => sourceRowOf(name, source))),
    '',
    'Names are accepted with dots and dashes, and with `_` in their place, as in nested objects: `{"RRU": {"PrbTotDl": 71}}` is',
    '`RRU_PrbTotDl`. Check the unit: some programs send `DRB.AirIfDelayDl` in ms, and a utilization of TR-181 is 0 to 255, not %.',
    'The delay of the air interface is one way, without the rest of the path.',
    '',
    'Not accepted, because one value is not enough: counters (bytes, volumes, retransmissions), distributions (`CARR.WBCQIDist`),',
    'signal levels without noise (RSRP, RSSI, RCPI), and values of one client (`DRB.UEThpDl`).',
    '',
  ].join('\n')
}

function rowOf(name: KpiName, { label, unit, better, description, thresholds }: Kpi): string {
  const limit = (level: keyof Thresholds) =>
    thresholds ? `${better === 'more' ? '≤' : '≥'} ${thresholds[level]}` : ''
  return `| \`${name}\` | ${label}. ${description} | ${unit} | ${better ?? ''} | ${limit('degraded')} | ${limit('bad')} |`
}

const sourceRowOf = (kpi: KpiName, { name, standard, unit, toKpi, technology }: KpiSource) =>
  `| \`${kpi}\` | \`${name}\` | ${standard} | ${unit} | ${formulaOf(toKpi)} | ${technology ?? ''} |`

function formulaOf({ factor, offset }: Conversion): string {
  const shown = (value: number) => String(Number(value.toPrecision(3)))
  if (factor === 1 && offset === 0) return 'value'
  const scaled = `value × ${shown(factor)}`
  if (offset === 0) return scaled
  return `${scaled} ${offset < 0 ? '−' : '+'} ${shown(Math.abs(offset))}`
}
