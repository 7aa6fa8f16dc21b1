import type { AuditRecord } from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { first } from '../items.ts'
import { printList } from '../output/print.ts'
import { connect } from '../profile.ts'
import { auditActions, count, moment, oneOf } from '../words.ts'

interface Options {
  actor?: string
  action?: (typeof auditActions)[number]
  target?: string
  from?: Date
  to?: Date
  limit: number
}

export function fill(command: Command): void {
  const listing = command.command('list').description('list what was changed and by whom, the newest first')
  listing
    .option('--actor <name>', 'only what this user, agent or application did')
    .option('--action <name>', `only this: ${auditActions.join(', ')}`, oneOf(auditActions))
    .option('--target <text>', 'only what was done to somebody with this in the name')
    .option('--from <time>', 'since when: as long ago as 2h, or a time', moment)
    .option('--to <time>', 'until when', moment)
    .option('--limit <n>', 'at most this many', count, 100)
    .action(async ({ limit, ...filter }: Options, self: Command) =>
      printList<AuditRecord>(
        self,
        first((await connect(self)).audit.list(filter), limit),
        [
          { title: 'AT', value: ({ at }) => at },
          { title: 'WHO', value: ({ actor }) => actor },
          { title: 'DID', value: ({ action }) => action },
          { title: 'TO', value: ({ target }) => target },
          { title: 'DETAIL', value: ({ detail }) => JSON.stringify(detail) },
        ],
        'Nothing like that was changed.',
      ),
    )
  examples(
    listing,
    'manc audit list --from 1d',
    'manc audit list --actor admin@manc.local --action user.update',
    'manc audit list --target wifi- --json',
  )
}
