import type { Alarm, AlarmRule, AlarmRuleCreate } from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { Failure } from '../failure.ts'
import { confirm, jsonObject } from '../input.ts'
import { isJson, printDone, printJson, printList, printNotice, printRecord } from '../output/print.ts'
import { connect } from '../profile.ts'
import { fillSilences } from './alarms.silences.ts'

export function fill(command: Command): void {
  const summary = command.command('summary').description('count open alarms by severity')
  summary.action(async (_options: unknown, self: Command) => {
    const counts = await (await connect(self)).alarms.summary()
    const shown = Object.entries(counts).map(
      ([severity, { acknowledged, unacknowledged, silenced, inhibited }]) =>
        [
          severity,
          `${unacknowledged} new, ${acknowledged} acknowledged, ${silenced} silenced, ${inhibited} inhibited`,
        ] as const,
    )
    await printRecord(self, counts, Object.fromEntries(shown))
  })
  examples(summary, 'manc alarms summary')

  const show = command.command('show <id>').description('show an alarm')
  show.action(async (id: string, _options: unknown, self: Command) => {
    const alarm = await (await connect(self)).alarms.get(id)
    await printRecord(self, alarm, {
      rule: alarm.rule,
      'access point': alarm.ap_id,
      severity: alarm.severity,
      state: alarm.state,
      raised: alarm.raised_at,
      cleared: alarm.cleared_at,
      'acknowledged by': alarm.acknowledged_by,
      comment: alarm.comment,
      'assigned to': alarm.assignee,
    })
  })
  examples(show, 'manc alarms show 17')

  const ack = command.command('ack <id...>').description('acknowledge open alarms')
  ack
    .option('--comment <text>', 'what you know or do about them; without it, the stored comment stays')
    .action(async (ids: string[], { comment }: { comment?: string }, self: Command) => {
      const { alarms } = await connect(self)
      const [id = '', ...others] = ids
      // Without the option, the stored comment stays.
      const body = comment === undefined ? {} : { comment }
      if (others.length === 0) {
        const alarm = await alarms.acknowledge(id, body)
        await printDone(self, alarm, `Acknowledged: ${textOf(alarm)}`)
        return
      }
      const done = await alarms.acknowledgeAll({ ids, ...body })
      const left = done.not_acknowledged
      if (done.acknowledged === 0)
        throw new Failure('None of these alarms is open. List the open ones with: manc alarms list')
      const note = left.length > 0 ? ` Not open: ${left.join(', ')}.` : ''
      await printDone(self, done, `Acknowledged ${done.acknowledged} of ${ids.length} alarms.${note}`)
    })
  examples(ack, 'manc alarms ack 17 --comment "technician is on the way"', 'manc alarms ack 17 18 19')

  const assign = command
    .command('assign <id> [user]')
    .description('assign an open alarm to a user; without a user, remove the assignment')
  assign.action(async (id: string, user: string | undefined, _options: unknown, self: Command) => {
    const alarm = await (await connect(self)).alarms.assign(id, { username: user ?? null })
    const done = alarm.assignee === null ? 'Assignment removed' : `Assigned to ${alarm.assignee}`
    await printDone(self, alarm, `${done}: ${textOf(alarm)}`)
  })
  examples(assign, 'manc alarms assign 17 operator@example.org', 'manc alarms assign 17')

  fillRules(command)
  fillSilences(command)
}

function fillRules(command: Command): void {
  const rules = command.command('rules').description('list the rules of alarms')
  rules.action(async (_options: unknown, self: Command) =>
    printList<AlarmRule>(
      self,
      await (await connect(self)).alarms.rules(),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'NAME', value: ({ name }) => name },
        { title: 'SEVERITY', value: ({ severity }) => severity },
        { title: 'RAISED', value: raisedText },
        { title: 'CLEARED', value: clearedText },
        { title: 'ENABLED', value: ({ is_enabled: isEnabled }) => (isEnabled ? 'yes' : 'no') },
      ],
      'No rules found.',
    ),
  )
  examples(rules, 'manc alarms rules')

  const example = `'{"name":"Many clients","severity":"warning","metric":"clients","raise_op":">=","raise_threshold":200}'`
  const create = command.command('create-rule <json>').description('create a rule')
  create.action(async (json: string, _options: unknown, self: Command) => {
    const rule = await (await connect(self)).alarms.createRule(await ruleOf(json))
    await printDone(self, rule, `Created the rule ${rule.id}.`)
  })
  examples(create, `manc alarms create-rule ${example}`, 'manc alarms create-rule @rule.json')

  const preview = command
    .command('preview-rule <json>')
    .description('count the alarms that a rule would have raised in the last 24 hours')
  preview.action(async (json: string, _options: unknown, self: Command) => {
    const found = await (await connect(self)).alarms.previewRule(await ruleOf(json))
    // All of it: a list of agents would not show whether it is complete.
    if (isJson(self)) return printJson(found)
    await printList(
      self,
      found.agents,
      [
        { title: 'AP ID', value: ({ ap_id: apId }) => apId },
        { title: 'ALARMS', value: ({ alarms }) => String(alarms) },
        { title: 'MINUTES', value: ({ minutes }) => String(minutes) },
      ],
      found.is_complete ? 'It would have raised no alarm.' : 'No alarm was found.',
    )
    if (!found.is_complete)
      printNotice('Not complete: too many access points fulfil the condition. Limit the rule with ap_ids.')
  })
  examples(preview, `manc alarms preview-rule ${example}`)

  const update = command.command('update-rule <id> <json>').description('replace a rule')
  update.action(async (id: string, json: string, _options: unknown, self: Command) => {
    const rule = await (await connect(self)).alarms.updateRule(id, await ruleOf(json))
    await printDone(self, rule, `Replaced the rule ${rule.id}.`)
  })
  examples(update, 'manc alarms update-rule 0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11 @rule.json')

  const remove = command.command('remove-rule <id>').description('delete a rule and clear its alarms')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (id: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Delete the rule ${id} and clear its alarms?`, options.yes)
      const done = await (await connect(self)).alarms.removeRule(id)
      await printDone(self, { removed: id }, done.detail)
    })
  examples(remove, 'manc alarms remove-rule 0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11 --yes')
}

const ruleOf = async (json: string) => (await jsonObject(json)) as AlarmRuleCreate

const textOf = ({ ap_id: apId, rule }: Alarm) => `${rule}, ${apId}`

function raisedText({
  metric,
  raise_op: op,
  raise_threshold: threshold,
  raise_for_s: forS,
}: AlarmRule): string {
  return metric === 'presence' ? `offline for ${forS} s` : `${metric} ${op} ${threshold} for ${forS} s`
}

function clearedText({
  metric,
  raise_op: op,
  clear_threshold: threshold,
  clear_for_s: forS,
}: AlarmRule): string {
  return metric === 'presence'
    ? `online for ${forS} s`
    : `${op === '>=' ? '<' : '>'} ${threshold} for ${forS} s`
}
