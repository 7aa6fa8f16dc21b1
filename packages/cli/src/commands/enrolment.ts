import type { EnrolmentToken } from '@manc/sdk'
import type { Command } from 'commander'
import { count, duration } from '../arguments.ts'
import { examples } from '../examples.ts'
import { confirm } from '../input.ts'
import { isJson, print, printDone, printJson, printList, printNotice } from '../output/print.ts'
import { counted } from '../output/text.ts'
import { connect } from '../profile.ts'

export function fill(command: Command): void {
  const create = command.command('create').description('create a token with which agents register themselves')
  create
    .option('--pattern <pattern>', 'ids that it may register; * matches any characters')
    .option('--uses <n>', 'maximum number of agents', count)
    .option('--expires <time>', 'validity, for example 12h', duration)
    .action(async (options: { pattern?: string; uses?: number; expires?: number }, self: Command) => {
      const created = await (await connect(self)).enrolment.create({
        ...(options.pattern !== undefined && { ap_id_pattern: options.pattern }),
        ...(options.uses !== undefined && { max_uses: options.uses }),
        ...(options.expires !== undefined && { expires_in: options.expires }),
      })
      if (isJson(self)) return printJson(created)
      printNotice(
        `Valid for ${counted(created.max_uses, 'agent')} whose id matches ${created.ap_id_pattern}, until ${created.expires_at}. It is shown only once:`,
      )
      await print(created.token)
    })
  examples(create, "manc enrolment create --pattern 'wifi-*' --uses 50 --expires 12h")

  const listing = command.command('list').description('list valid tokens')
  listing.action(async (_options: unknown, self: Command) =>
    printList<EnrolmentToken>(
      self,
      await (await connect(self)).enrolment.list(),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'PATTERN', value: ({ ap_id_pattern: pattern }) => pattern },
        { title: 'USED', value: ({ uses, max_uses: max }) => `${uses} of ${max}` },
        { title: 'CREATED BY', value: ({ created_by: by }) => by },
        { title: 'EXPIRES', value: ({ expires_at: at }) => at },
      ],
      'No tokens found. To create one: manc enrolment create',
    ),
  )
  examples(listing, 'manc enrolment list')

  const remove = command.command('remove <id>').description('delete a token')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (id: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Delete the enrolment token ${id}?`, options.yes)
      const done = await (await connect(self)).enrolment.remove(id)
      await printDone(self, { removed: id }, done.detail)
    })
  examples(remove, 'manc enrolment remove 0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11 --yes')
}
