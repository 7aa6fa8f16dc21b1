import type { EmulatedChoice, Technology } from '@manc/sdk'
import type { Command } from 'commander'
import { moment } from '../arguments.ts'
import { isJson, printJson, printList, printNotice } from '../output/print.ts'
import { counted, figure } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  from?: Date
  to?: Date
  emulated?: EmulatedChoice
}

/** Of the mean of each access point in the period. */
const figures = ['min', 'p10', 'p50', 'p90', 'p95', 'max'] as const

export async function showSummary(
  technology: Technology,
  metrics: string[],
  { from = moment('1h'), to, emulated }: Options,
  command: Command,
): Promise<void> {
  const manc = await connect(command)
  const answer = await manc.telemetry.summary({ technology }, metrics, {
    from,
    ...(to && { to }),
    ...(emulated && { emulated }),
  })
  if (isJson(command)) return printJson(answer)
  await printList(
    command,
    answer.series,
    [
      { title: 'METRIC', value: ({ metric }) => metric },
      { title: 'ACCESS POINTS', value: ({ spread }) => String(spread?.agents ?? 0) },
      ...figures.map((name) => ({
        title: name === 'p50' ? 'MEDIAN' : name.toUpperCase(),
        value: ({ spread }: (typeof answer.series)[number]) => (spread ? figure(spread[name]) : '-'),
      })),
    ],
    '',
  )
  if (answer.read < answer.agents)
    printNotice(
      `The period has many samples: ${counted(answer.read, 'access point')} of ${answer.agents}, chosen evenly.`,
    )
}
