import type { Decision, DecisionCreate } from '@manc/sdk'
import type { Command } from 'commander'
import { decisionStates, moment, someOf } from '../arguments.ts'
import { examples } from '../examples.ts'
import { jsonObject } from '../input.ts'
import { isJson, print, printDone, printJson, printList, printRecord } from '../output/print.ts'
import { connect } from '../profile.ts'

interface ExportOptions {
  owner?: string
  apId?: string
  state?: Decision['state'][]
  since?: Date
}

const id = '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11'

export function fill(command: Command): void {
  const show = command.command('show <id>').description('show a decision with its commands and its effect')
  show.action(async (given: string, _options: unknown, self: Command) => {
    const decision = await (await connect(self)).decisions.get(given)
    if (isJson(self)) return printJson(decision)
    await showRecord(self, decision)
  })
  examples(show, `manc decisions show ${id}`)

  const create = command
    .command('create <json>')
    .description('record, propose or execute a decision: JSON, or @file')
  create.action(async (json: string, _options: unknown, self: Command) => {
    const given = (await jsonObject(json)) as DecisionCreate
    const decision = await (await connect(self)).decisions.create(given)
    await printDone(self, decision, `Created ${decision.id}: ${textOf(decision)}`)
  })
  examples(create, 'manc decisions create @decision.json')

  const confirm = command.command('confirm <id>').description('confirm a proposal, which sends its commands')
  confirm.action(async (given: string, _options: unknown, self: Command) => {
    const decision = await (await connect(self)).decisions.confirm(given)
    await printDone(self, decision, `Confirmed: ${textOf(decision)}`)
  })
  examples(confirm, `manc decisions confirm ${id}`)

  const reject = command.command('reject <id>').description('reject a proposal')
  reject.action(async (given: string, _options: unknown, self: Command) => {
    const decision = await (await connect(self)).decisions.reject(given)
    await printDone(self, decision, `Rejected: ${textOf(decision)}`)
  })
  examples(reject, `manc decisions reject ${id}`)

  const all = command.command('export').description('print all decisions as JSON lines, newest first')
  all
    .option('--owner <name>', 'only of this application or user')
    .option('--ap-id <id>', 'only those that name this access point')
    .option('--state <names>', `only these: ${decisionStates.join(', ')}`, someOf(decisionStates))
    .option('--since <time>', 'from this time on: a time, or how long ago, as 1h', moment)
    .action(async ({ owner, apId, state, since }: ExportOptions, self: Command) => {
      const { decisions } = await connect(self)
      const filter = {
        ...(owner !== undefined && { owner }),
        ...(apId !== undefined && { ap_id: apId }),
        ...(state && { state }),
        ...(since && { from: since }),
      }
      for await (const decision of decisions.export(filter)) await print(JSON.stringify(decision))
    })
  examples(all, 'manc decisions export --since 7d > decisions.jsonl')
}

async function showRecord(command: Command, decision: Decision): Promise<void> {
  await printRecord(command, decision, {
    id: decision.id,
    owner: decision.owner,
    policy: decision.policy,
    mode: decision.mode,
    state: decision.state,
    reason: decision.reason,
    client: decision.client,
    created: decision.created_at,
    expires: decision.expires_at,
    'decided by': decision.decided_by,
    executed: decision.executed_at,
    measured: decision.measured_at,
    reverts: decision.reverts,
    'reverted by': decision.reverted_by,
  })
  await print('')
  await printList(
    command,
    decision.commands,
    [
      { title: 'AP ID', value: ({ ap_id: apId }) => apId },
      { title: 'COMMAND', value: ({ command: text }) => text },
      { title: 'VERDICT', value: ({ verdict }) => verdict },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'DETAIL', value: ({ detail }) => detail },
    ],
    'No commands.',
  )
  await print('')
  await printList(
    command,
    decision.expected.map((expected) => ({ expected, measured: measuredOf(decision, expected) })),
    [
      { title: 'AP ID', value: ({ expected }) => expected.ap_id },
      { title: 'KPI', value: ({ expected }) => expected.kpi },
      { title: 'EXPECTED', value: ({ expected }) => change(expected.from, expected.to) },
      {
        title: 'MEASURED',
        value: ({ measured }) => (measured ? change(measured.before, measured.after) : null),
      },
    ],
    'No expected effect.',
  )
}

const measuredOf = ({ measured }: Decision, { ap_id: apId, kpi }: Decision['expected'][number]) =>
  measured?.find((each) => each.ap_id === apId && each.kpi === kpi)

const change = (from: number | null, to: number | null): string => `${from ?? '?'} → ${to ?? '?'}`

const textOf = ({ policy, owner, state }: Decision) => `${policy} of ${owner}, ${state}`
