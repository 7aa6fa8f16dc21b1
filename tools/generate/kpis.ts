import {
  type Kpi,
  type KpiName,
  kpiNames,
  kpis,
  signalRanges,
  type Thresholds,
} from '../../packages/contract/src/kpis.ts'

/** docs/kpis.md: the KPI model. */
export function kpisPage(): string {
  return [
    '# KPIs',
    '',
    'KPIs are the metrics by which access points of different technologies can be compared. Their labels, units and directions are',
    'the same in the API and the console; the console marks values beyond the thresholds. This page is generated from `packages/contract/src/kpis.ts` by `npm run docs`.',
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
  ].join('\n')
}

function rowOf(name: KpiName, { label, unit, better, description, thresholds }: Kpi): string {
  const limit = (level: keyof Thresholds) =>
    thresholds ? `${better === 'more' ? '≤' : '≥'} ${thresholds[level]}` : ''
  return `| \`${name}\` | ${label}. ${description} | ${unit} | ${better ?? ''} | ${limit('degraded')} | ${limit('bad')} |`
}
