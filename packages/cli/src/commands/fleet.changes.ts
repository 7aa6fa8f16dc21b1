import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { isJson, print, printJson, printList, printNotice } from '../output/print.ts'
import { connect } from '../profile.ts'
import { fleetColumns } from './agents.list.ts'
import { emulatedOf, emulatedOption } from './fleet.emulated.ts'

export function fillChanges(command: Command): void {
  const changes = command.command('changes').description('changes of the list of access points')
  emulatedOption(changes)
    .option('--after <cursor>', 'changes since this cursor; without it, only a cursor is printed')
    .action(showChanges)
  examples(
    changes,
    'manc fleet changes',
    'manc fleet changes --after 84212.1794775000.16421.all',
    'manc fleet changes --json',
  )
}

async function showChanges({ after }: { after?: string }, command: Command): Promise<void> {
  const changes = await (await connect(command)).fleet.changes(after, emulatedOf(command))
  if (isJson(command)) return printJson(changes)
  const { agents, removed, is_complete: isComplete, next } = changes
  if (!isComplete)
    printNotice('The cursor is too old, or there are too many changes. Read the list again: manc agents list')
  else if (after !== undefined) {
    await printList(command, agents, fleetColumns, 'No changes.')
    if (removed.length > 0) await print(`Removed: ${removed.join(', ')}`)
  }
  await print(`For later changes: manc fleet changes --after ${next}`)
}
