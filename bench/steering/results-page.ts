import { experimentWorldNames, steeringPolicyNames } from '@manc/contract'
import type { Figures } from '@manc/emulator/experiment'
import type { Summary } from './summary.ts'

const columns: readonly { title: string; figure: keyof Figures; digits: number }[] = [
  { title: 'mean Mbit/s', figure: 'mean_mbps', digits: 2 },
  { title: 'p5 Mbit/s', figure: 'p5_mbps', digits: 2 },
  { title: 'p5 asked for', figure: 'asked_p5_mbps', digits: 2 },
  { title: 's below 20 Mbit/s', figure: 'short_s', digits: 0 },
  { title: 'outage a blockage, s', figure: 'outage_s', digits: 2 },
  { title: 'predictable, s', figure: 'outage_predictable_s', digits: 2 },
  { title: 'handovers', figure: 'handovers', digits: 1 },
  { title: 'ping-pongs', figure: 'ping_pongs', digits: 2 },
  { title: 'kWh a day', figure: 'kwh', digits: 2 },
  { title: 'over LiFi, %', figure: 'lifi_part', digits: 1 },
]

/** The tables of a run, as a document. */
export function resultsPage(summary: Summary, { seeds, took }: { seeds: number; took: number }): string {
  const tables = experimentWorldNames.flatMap((world) => [
    `## ${world.replaceAll('_', ' ')}`,
    '',
    `| policy | ${columns.map(({ title }) => title).join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...steeringPolicyNames.map((policy) => {
      const cells = columns.map(({ figure, digits }) => {
        const { mean, interval } = summary.meanOf(world, policy, figure)
        // Exactly 0: the world has no such blockage.
        if (mean === 0 && figure.startsWith('outage')) return '–'
        const scale = figure === 'lifi_part' ? 100 : 1
        return `${(scale * mean).toFixed(digits)} ± ${(scale * (interval ?? 0)).toFixed(digits)}`
      })
      return `| ${policy.replaceAll('-', ' ')} | ${cells.join(' | ')} |`
    }),
    '',
  ])
  return [
    '# Results of steering policies',
    '',
    `Written by \`npm run bench -- steering\`; [research.md](research.md#steering-policies) explains the worlds, policies and figures.`,
    `Means over ${seeds} ${seeds === 1 ? 'seed' : 'seeds'} with 95 % intervals; the run took ${took} s. Seconds, handovers and ping-pongs are per client and hour. – : no such`,
    'blockage.',
    '',
    ...tables,
  ].join('\n')
}
