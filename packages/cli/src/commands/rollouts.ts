import type {
  AgentState,
  Box,
  EmulatedChoice,
  Health,
  Rollout,
  RolloutAgent,
  RolloutAgentState,
  RolloutSelection,
  Technology,
} from '@manc/sdk'
import type { Command } from 'commander'
import {
  agentStates,
  area,
  count,
  emulatedChoices,
  healths,
  list,
  oneOf,
  rolloutAgentStates,
  someOf,
  technologies,
} from '../arguments.ts'
import { examples } from '../examples.ts'
import { confirm, jsonObject } from '../input.ts'
import { paintState } from '../output/colour.ts'
import { isJson, printDone, printJson, printList, printNotice, printRecord } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { counted } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Selection {
  change: string
  agents?: string[]
  technology?: Technology[]
  state?: AgentState[]
  health?: Health[]
  search?: string
  area?: Box
  emulated?: EmulatedChoice
}

interface Start extends Selection {
  title?: string
  wait?: number
  maxFailures?: number
  yes?: boolean
}

const agentColumns: readonly Column<RolloutAgent>[] = [
  { title: 'AGENT', value: ({ ap_id: apId }) => apId },
  { title: 'STAGE', value: ({ stage }) => stage },
  { title: 'STATE', value: ({ state }) => state, paint: (text, { state }) => paintState(state, text) },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'DETAIL', value: ({ detail }) => detail },
]

export function fill(command: Command): void {
  const preview = withSelection(
    command.command('preview').description('show what a change would alter, for each access point'),
  )
  preview.action(async (options: Selection, self: Command) => {
    const found = await (await connect(self)).rollouts.preview(await selectionOf(options))
    if (isJson(self)) return printJson(found)
    await printList(
      self,
      found.differences,
      [
        { title: 'AGENT', value: ({ ap_id: apId }) => apId },
        { title: 'BEFORE', value: ({ before }) => JSON.stringify(before) },
        { title: 'AFTER', value: ({ after }) => JSON.stringify(after) },
      ],
      'Nothing would change.',
    )
    const changing = found.agents - found.unchanged
    const shown = found.differences.length
    printNotice(
      [
        `${counted(found.agents, 'access point')}, ${changing} of them would change.`,
        ...(shown < changing ? [`The first ${shown} are shown.`] : []),
        ...(found.unknown > 0 ? [`${counted(found.unknown, 'unknown ID')} ignored.`] : []),
      ].join(' '),
    )
  })
  examples(preview, `manc rollouts preview --technology WiFi --change '{"tx_power_dbm":17}'`)

  const start = withSelection(
    command.command('start').description('change the configuration of many access points in stages'),
  )
  start
    .option('--title <text>', 'what it is for')
    .option('--wait <seconds>', 'how long each stage is observed; the default is 60', count)
    .option('--max-failures <n>', 'stop when more than this have failed; the default is 0', count)
    .option('--yes', 'do not ask for confirmation')
    .action(startRollout)
  examples(start, `manc rollouts start --technology WiFi --change '{"tx_power_dbm":17}' --wait 300 --yes`)
  fillChanges(command)
}

function fillChanges(command: Command): void {
  const show = command
    .command('show <id>')
    .description('show a rollout and its access points')
    .option(
      '--state <state>',
      `only access points in this state: ${rolloutAgentStates.join(', ')}`,
      oneOf(rolloutAgentStates),
    )
  show.action(async (id: string, { state }: { state?: RolloutAgentState }, self: Command) => {
    const manc = await connect(self)
    const [rollout, agents] = await Promise.all([
      manc.rollouts.get(id),
      Array.fromAsync(manc.rollouts.agents(id, state ? { state } : {})),
    ])
    if (isJson(self)) return printJson({ ...rollout, access_points: agents })
    await printRecord(self, rollout, recordOf(rollout))
    const none = state ? `None of its access points is ${state}.` : 'It has no access points.'
    await printList(self, agents, agentColumns, none)
  })
  examples(
    show,
    'manc rollouts show 0197a0b2-5b1d-7c8e-8c58-2f4f2f2d6f11',
    'manc rollouts show 0197a0b2-5b1d-7c8e-8c58-2f4f2f2d6f11 --state failed',
  )
  for (const [name, description] of [
    ['pause', 'pause a rollout; what was changed stays changed'],
    ['resume', 'continue a rollout that has paused or stopped'],
    ['undo', 'restore the configurations before a rollout'],
  ] as const) {
    const change = command.command(`${name} <id>`).description(description)
    change.action(async (id: string, _options: unknown, self: Command) => {
      const done = await (await connect(self)).rollouts[name](id)
      await printDone(self, done, done.detail)
    })
    examples(change, `manc rollouts ${name} 0197a0b2-5b1d-7c8e-8c58-2f4f2f2d6f11`)
  }
}

const withSelection = (command: Command): Command =>
  command
    .requiredOption('--change <json>', 'members to set, null to remove: JSON, or @file')
    .option('--agents <ids>', 'these, separated by commas', list)
    .option('--technology <names>', `all of these: ${technologies.join(', ')}`, someOf(technologies))
    .option('--state <states>', `all in these states: ${agentStates.join(', ')}`, someOf(agentStates))
    .option('--health <healths>', `all with this health: ${healths.join(', ')}`, someOf(healths))
    .option('--search <text>', 'all with this text in their id or name')
    .option('--area <west,south,east,north>', 'all in this area, in degrees', area)
    .option('--emulated <which>', 'emulated ones: own, all or none', oneOf(emulatedChoices))

async function selectionOf(options: Selection): Promise<RolloutSelection> {
  const { agents, technology, state, health, search, area: box, emulated } = options
  return {
    change: await jsonObject(options.change),
    ...(agents && { agents }),
    ...(technology && { technology }),
    ...(state && { state }),
    ...(health && { health }),
    ...(search !== undefined && { search }),
    ...(box && { area: box }),
    ...(emulated && { emulated }),
  }
}

async function startRollout(options: Start, self: Command): Promise<void> {
  const { title, wait, maxFailures, yes } = options
  const manc = await connect(self)
  const selection = await selectionOf(options)
  const { agents, unchanged } = await manc.rollouts.preview(selection)
  await confirm(`Change the configuration of ${counted(agents - unchanged, 'access point')}?`, yes)
  const rollout = await manc.rollouts.create({
    ...selection,
    ...(title !== undefined && { title }),
    ...(wait !== undefined && { wait_s: wait }),
    ...(maxFailures !== undefined && { max_failures: maxFailures }),
  })
  await printRecord(self, rollout, recordOf(rollout))
}

const recordOf = ({ change, progress, ...rollout }: Rollout) => ({
  ...rollout,
  change: JSON.stringify(change),
  progress: Object.entries(progress)
    .filter(([, agents]) => agents > 0)
    .map(([state, agents]) => `${agents} ${state}`)
    .join(', '),
})
