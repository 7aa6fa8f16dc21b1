import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { isJson, printJson, printList, printNotice } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { connect } from '../profile.ts'

interface Rejected {
  reason: string
  samples: number
  last_at: string
}

const columns: readonly Column<Rejected>[] = [
  { title: 'LAST AT', value: (row) => row.last_at },
  { title: 'SAMPLES', value: (row) => row.samples },
  { title: 'REASON', value: (row) => row.reason },
]

export function fillRejections(command: Command): void {
  const rejections = command
    .command('rejections <agent>')
    .description('show what was rejected of an access point, and whether it is suspended')
  rejections.action(async (apId: string, _options: unknown, self: Command) => {
    const found = await (await connect(self)).agents.rejections(apId)
    if (isJson(self)) return printJson(found)
    if (found.suspended_until !== null)
      printNotice(`Suspended until ${found.suspended_until}: ${found.last_suspension?.reason ?? 'a limit'}`)
    await printList(self, found.rejected, columns, 'Nothing was rejected.')
  })
  examples(rejections, 'manc agents rejections wifi-1')
}
