import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { lists } from '../generated/lists.ts'
import { optionOf, wireNames } from '../list-command.ts'
import { print } from '../output/print.ts'
import { connect } from '../profile.ts'

export function fill(command: Command): void {
  const filters = lists['audit']?.filters ?? []
  const exporting = command
    .command('export')
    .description('print all matching entries as JSON lines, newest first')
  for (const filter of filters) exporting.addOption(optionOf(filter))
  exporting.action(async (options: Record<string, unknown>, self: Command) => {
    const manc = await connect(self)
    for await (const entry of manc.audit.export(wireNames(filters, options)))
      await print(JSON.stringify(entry))
  })
  examples(exporting, 'manc audit export --from 30d > audit.jsonl', 'manc audit export --action login.failed')
}
