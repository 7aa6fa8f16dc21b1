import {
  type EmulatedChoice,
  type FleetAgent,
  type FleetSummary,
  type Health,
  type Manc,
  NotAllowed,
  NotFound,
  type SystemHealth,
  type SystemPart,
} from '@manc/sdk'
import type { Command } from 'commander'
import { emulatedChoices, oneOf } from '../arguments.ts'
import { examples } from '../examples.ts'
import { paint, paintState } from '../output/colour.ts'
import { isJson, print, printJson } from '../output/print.ts'
import { type Column, tableLines } from '../output/table.ts'
import { ago, pad } from '../output/text.ts'
import { connect } from '../profile.ts'
import { healthColumn } from './agents.list.ts'

type Counts = Pick<FleetSummary, 'total' | 'health'> & { technology: string }

const maxWorst = 10

const worstColumns: Column<FleetAgent>[] = [
  { title: 'AGENT', value: ({ ap_id: apId }) => apId },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'TECHNOLOGY', value: ({ technology }) => technology },
  healthColumn,
  { title: 'SINCE', value: ({ health_since: since }) => ago(since) },
  { title: 'REASON', value: ({ reason }) => reason },
]

export function fill(command: Command): void {
  command
    .option(
      '--emulated <which>',
      'own (the default), all with those of others, or none',
      oneOf(emulatedChoices),
    )
    .option('--all', 'all parts of the controller, also those that are good')
    .action(showHealth)
  examples(
    command,
    'manc health',
    'manc health --all',
    'manc health --json',
    'manc agents list --health bad --sort health',
  )
}

interface Options {
  emulated?: EmulatedChoice
  all?: boolean
}

async function showHealth({ all = false, ...options }: Options, command: Command): Promise<void> {
  const manc = await connect(command)
  const { fleet } = manc
  const summary = await fleet.summary(options)
  const worst: FleetAgent[] = []
  const wanted = { health: ['bad', 'degraded'], sort: 'health', pageSize: maxWorst, ...options } as const
  for await (const agent of fleet.agents(wanted)) {
    worst.push(agent)
    if (worst.length === maxWorst) break
  }
  const headline = headlineOf(summary)
  if (isJson(command))
    return printJson({ headline, summary, worst, controller: await controllerHealth(manc) })
  const width = process.stdout.isTTY ? process.stdout.columns : Infinity
  await print(headline)
  if (summary.total > 0) await printNetwork(summary, worst, width)
  const controller = await controllerHealth(manc)
  if (controller) await printController(controller, all)
}

async function printNetwork(summary: FleetSummary, worst: FleetAgent[], width: number): Promise<void> {
  await print('', ...tableLines(countColumns, countsOf(summary), width))
  if (worst.length > 0) await print('', ...tableLines(worstColumns, worst, width))
  const ill = summary.health.bad + summary.health.degraded
  if (ill > worst.length)
    await print(
      paint('dim', `${worst.length} of ${ill}. All: manc agents list --health bad,degraded --sort health`),
    )
}

/** Null for users who may not see it, and of a controller of an older release. */
async function controllerHealth(manc: Manc): Promise<SystemHealth | null> {
  try {
    return await manc.system.health()
  } catch (error) {
    if (error instanceof NotAllowed || error instanceof NotFound) return null
    throw error
  }
}

/** One line each, which the terminal wraps: a part of a reason is of no use. */
async function printController({ state, parts }: SystemHealth, all: boolean): Promise<void> {
  const shown = parts.filter((part) => all || part.state !== 'good')
  await print('', `Controller: ${paintState(state)}`, ...shown.map(partLine))
}

function partLine({ name, state, since, reason, next_step: step, runbook }: SystemPart): string {
  const title = since === null ? name : `${name}, since ${ago(since)}`
  const texts = [reason, step, runbook && `See ${runbook}`].filter(Boolean)
  return `${paintState(state, pad(state, 8))}  ${title}: ${texts.join(' ')}`
}

const countColumns: Column<Counts>[] = [
  { title: 'TECHNOLOGY', value: ({ technology }) => technology },
  { title: 'TOTAL', value: ({ total }) => total },
  ...(['good', 'degraded', 'bad', 'unknown', 'offline'] as const).map((name) => ({
    title: name.toUpperCase(),
    value: ({ health }: Counts) => health[name],
    paint: (text: string, { health }: Counts) => (health[name] > 0 ? paintState(name, text) : text),
  })),
]

const countsOf = (summary: FleetSummary): Counts[] => [
  { ...summary, technology: 'all' },
  ...summary.technologies.filter(({ total }) => total > 0),
]

/** For example `3 of 60 access points are bad, 5 degraded, 1 offline.` */
function headlineOf({ total, health }: FleetSummary): string {
  if (total === 0) return 'There are no access points.'
  const names: Health[] = ['bad', 'degraded', 'offline', 'unknown']
  const [first, ...others] = names.filter((name) => health[name] > 0)
  if (first === undefined)
    return total === 1 ? 'The access point is good.' : `All ${total} access points are good.`
  const count = health[first]
  const begin = `${count} of ${total} access point${total === 1 ? '' : 's'} ${count === 1 ? 'is' : 'are'} ${first}`
  return `${[begin, ...others.map((name) => `${health[name]} ${name}`)].join(', ')}.`
}
