import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { isJson, note, print, printJson, printList } from '../output/print.ts'
import { connect } from '../profile.ts'
import { fleetColumns } from './agents.list.ts'

export function fillChanges(command: Command): void {
  const changes = command.command('changes').description('what has changed in the list of agents')
  changes
    .option('--after <mark>', 'since this answer; without it, only a mark to begin with')
    .action(showChanges)
  examples(
    changes,
    'manc fleet changes',
    'manc fleet changes --after 84212.1794775000.16421.all',
    'manc fleet changes --json',
  )
}

async function showChanges({ after }: { after?: string }, command: Command): Promise<void> {
  const changes = await (await connect(command)).fleet.changes(after)
  if (isJson(command)) return printJson(changes)
  const { agents, removed, is_complete: isComplete, next } = changes
  if (!isComplete) note('Too long ago, or too much to tell: read them again with manc agents list.')
  else if (after !== undefined) {
    await printList(command, agents, fleetColumns, 'None is new or different.')
    if (removed.length > 0) await print(`Gone: ${removed.join(', ')}`)
  }
  await print(`For what changes from now on: manc fleet changes --after ${next}`)
}
