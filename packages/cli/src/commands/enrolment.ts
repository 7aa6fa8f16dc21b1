import type { EnrolmentToken } from '@manc/sdk'
import type { Command } from 'commander'
import { count, duration } from '../arguments.ts'
import { examples } from '../examples.ts'
import { confirm } from '../input.ts'
import { isJson, note, print, printDone, printJson, printList } from '../output/print.ts'
import { counted } from '../output/text.ts'
import { connect } from '../profile.ts'

export function fill(command: Command): void {
  const create = command.command('create').description('make a token with which agents register themselves')
  create
    .option('--pattern <pattern>', 'ids that it may register; * stands for any characters')
    .option('--uses <n>', 'for how many agents', count)
    .option('--expires <time>', 'after how long it ends, for example 12h', duration)
    .action(async (options: { pattern?: string; uses?: number; expires?: number }, self: Command) => {
      const made = await (await connect(self)).enrolment.create({
        ...(options.pattern !== undefined && { ap_id_pattern: options.pattern }),
        ...(options.uses !== undefined && { max_uses: options.uses }),
        ...(options.expires !== undefined && { expires_in: options.expires }),
      })
      if (isJson(self)) return printJson(made)
      note(
        `For ${counted(made.max_uses, 'agent')} whose id fits ${made.ap_id_pattern}, until ${made.expires_at}. It is shown this once:`,
      )
      await print(made.token)
    })
  examples(create, "manc enrolment create --pattern 'wifi-*' --uses 50 --expires 12h")

  const listing = command.command('list').description('list the tokens that still live')
  listing.action(async (_options: unknown, self: Command) =>
    printList<EnrolmentToken>(
      self,
      await (await connect(self)).enrolment.list(),
      [
        { title: 'ID', value: ({ id }) => id },
        { title: 'PATTERN', value: ({ ap_id_pattern: pattern }) => pattern },
        { title: 'USED', value: ({ uses, max_uses: most }) => `${uses} of ${most}` },
        { title: 'MADE BY', value: ({ created_by: by }) => by },
        { title: 'ENDS', value: ({ expires_at: at }) => at },
      ],
      'There are none. To make one: manc enrolment create',
    ),
  )
  examples(listing, 'manc enrolment list')

  const remove = command.command('remove <id>').description('withdraw a token')
  remove
    .option('--yes', 'do not ask')
    .action(async (id: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Withdraw the enrolment token ${id}?`, options.yes)
      const done = await (await connect(self)).enrolment.remove(id)
      await printDone(self, { removed: id }, done.detail)
    })
  examples(remove, 'manc enrolment remove 0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11 --yes')
}
