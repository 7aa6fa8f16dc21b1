import type { Silence, SilenceCreate, Technology, Weekday } from '@manc/sdk'
import type { Command } from 'commander'
import {
  duration,
  list,
  silenceStates,
  someOf,
  technologies,
  time,
  timeOfDay,
  weekdays,
} from '../arguments.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { printDone, printList } from '../output/print.ts'
import { connect } from '../profile.ts'

interface Options {
  comment: string
  ap?: string[]
  technology?: Technology[]
  rule?: string[]
  from?: Date
  for?: number
  until?: Date
  weekly?: Weekday[]
  at?: string
  timeZone?: string
}

export function fillSilences(command: Command): void {
  const silence = command
    .command('silence')
    .description('silence alarms for a time, or in weekly maintenance windows')
  silence
    .requiredOption('--comment <text>', 'why alarms are silenced')
    .option('--ap <ids>', 'only these access points, separated by commas; * matches any characters', list)
    .option('--technology <names>', 'only these technologies, separated by commas', someOf(technologies))
    .option('--rule <ids>', 'only alarms of these rules, separated by commas', list)
    .option('--from <time>', 'start; the default is now', time)
    .option(
      '--for <duration>',
      'how long it lasts, as 2h; with --weekly, how long each window lasts',
      duration,
    )
    .option('--until <time>', 'end; with --weekly, of all windows', time)
    .option('--weekly <days>', 'days on which a window starts, as sat,sun', someOf(weekdays))
    .option('--at <time>', 'local time at which a window starts, as 02:00', timeOfDay)
    .option('--time-zone <name>', 'time zone of --weekly and --at, as Europe/Berlin')
    .action(async (options: Options, self: Command) => {
      const created = await (await connect(self)).alarms.silence(silenceOf(options))
      await printDone(
        self,
        created,
        `Created the silence ${created.id}: ${scopeText(created)}, ${timeText(created)}.`,
      )
    })
  examples(
    silence,
    'manc alarms silence --ap wifi-7 --for 2h --comment "new antenna"',
    'manc alarms silence --weekly sat,sun --at 02:00 --for 90m --time-zone Europe/Berlin --comment "updates"',
  )

  const listing = command.command('silences').description('list silences and maintenance windows')
  listing
    .option(
      '--state <states>',
      'active, scheduled or ended; the default is the first two',
      someOf(silenceStates),
    )
    .action(async ({ state }: { state?: Silence['state'][] }, self: Command) =>
      printList<Silence>(
        self,
        (await connect(self)).alarms.silences(state ? { state } : {}),
        [
          { title: 'ID', value: ({ id }) => id },
          { title: 'STATE', value: ({ state: now }) => now },
          { title: 'SCOPE', value: scopeText },
          { title: 'TIME', value: timeText },
          { title: 'CREATED BY', value: ({ created_by: by }) => by },
          { title: 'COMMENT', value: ({ comment }) => comment },
        ],
        'No silences found. To create one: manc alarms silence',
      ),
    )
  examples(listing, 'manc alarms silences', 'manc alarms silences --state ended')

  const update = command
    .command('update-silence <id>')
    .description('change the end or the comment of a silence')
  update
    .option('--comment <text>', 'why alarms are silenced')
    .option('--for <duration>', 'end it so long from now, as 2h', duration)
    .option('--until <time>', 'end it at this time', time)
    .action(
      async (id: string, options: Pick<Options, 'for' | 'until'> & { comment?: string }, self: Command) => {
        const end = endOf(options)
        if (end === undefined && options.comment === undefined)
          throw wrongUsage('Nothing to change. Use --for, --until or --comment.')
        const changed = await (await connect(self)).alarms.updateSilence(id, {
          ...(options.comment !== undefined && { comment: options.comment }),
          ...(end && { ends_at: end }),
        })
        await printDone(self, changed, `Changed the silence ${changed.id}: ${timeText(changed)}.`)
      },
    )
  examples(update, 'manc alarms update-silence 0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11 --for 1h')

  const end = command.command('unsilence <id>').description('end a silence now')
  end.action(async (id: string, _options: unknown, self: Command) => {
    const done = await (await connect(self)).alarms.endSilence(id)
    await printDone(self, { ended: id }, done.detail)
  })
  examples(end, 'manc alarms unsilence 0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11')
}

function silenceOf(options: Options): SilenceCreate {
  const { comment, ap = [], technology = [], rule = [], from } = options
  return {
    comment,
    ap_ids: ap,
    technologies: technology,
    rule_ids: rule,
    ...(from && { starts_at: from }),
    ...(options.weekly ? weeklyOf(options.weekly, options) : onceOf(options)),
  }
}

function onceOf({ from, at, timeZone, ...options }: Options): Pick<SilenceCreate, 'ends_at'> {
  if (at !== undefined || timeZone !== undefined) throw wrongUsage('Use --at and --time-zone with --weekly.')
  const end = endOf(options, from)
  if (!end) throw wrongUsage('Say how long: add --for 2h, or --until with a time.')
  return { ends_at: end }
}

function weeklyOf(
  days: Weekday[],
  { at, for: forS, timeZone, until }: Options,
): Pick<SilenceCreate, 'ends_at' | 'recurrence'> {
  if (at === undefined || forS === undefined || timeZone === undefined)
    throw wrongUsage('With --weekly, add --at 02:00, --for 90m and --time-zone Europe/Berlin.')
  if (forS % 60 !== 0) throw wrongUsage('A window lasts whole minutes. Use for example --for 90m.')
  return {
    recurrence: { days, at, duration_min: forS / 60, time_zone: timeZone },
    ends_at: until ?? null,
  }
}

function endOf(options: Pick<Options, 'for' | 'until'>, from = new Date()): Date | undefined {
  if (options.for !== undefined && options.until) throw wrongUsage('Use either --for or --until.')
  return options.for === undefined ? options.until : new Date(from.getTime() + options.for * 1000)
}

function scopeText({ ap_ids: apIds, technologies: names, rule_ids: rules }: Silence): string {
  const parts = [apIds, names, rules].filter((part) => part.length > 0)
  return parts.length === 0 ? 'all alarms' : parts.map((part) => part.join(',')).join(' and ')
}

function timeText({ starts_at: start, ends_at: end, recurrence }: Silence): string {
  if (!recurrence) return `${start} to ${end}`
  const { days, at, duration_min: minutes, time_zone: zone } = recurrence
  const last = end === null ? '' : ` until ${end}`
  return `${days.join(',')} ${at} for ${minutes} min, ${zone}${last}`
}
