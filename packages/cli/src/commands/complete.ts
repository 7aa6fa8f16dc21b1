import { RootCommand, type Command as TabCommand } from '@bomb.sh/tab'
import type { Command } from 'commander'
import { connect } from '../profile.ts'

const mostIds = 100
const withinMs = 1000

/** Asked by the scripts of `manc completion`: what may come next. */
export function fill(command: Command): void {
  command.argument('[words...]').action(async (words: string[], _options: unknown, self: Command) => {
    const program = self.parent as Command
    const root = new RootCommand()
    describe(root, program, [])
    for (const room of program.commands)
      for (const each of [room, ...room.commands]) {
        const path = each === room ? [room.name()] : [room.name(), each.name()]
        describe(
          root.command(path.join(' '), each.description()),
          each,
          await idsFor(each, path, words, self),
        )
        // Of the program, but taken everywhere.
        describe(root.commands.get(path.join(' ')) as TabCommand, program, [])
      }
    root.parse(words)
  })
}

function describe(
  target: TabCommand,
  { options, registeredArguments }: Command,
  ids: readonly string[],
): void {
  for (const { long, description, required, optional, argChoices } of options)
    if (long)
      target.option(
        long.slice(2),
        description,
        required || optional ? (complete) => argChoices?.forEach((each) => complete(each, '')) : undefined,
      )
  for (const argument of registeredArguments) {
    const values = argument.argChoices ?? (isAgent(argument.name()) ? ids : [])
    target.argument(
      argument.name(),
      (complete) => values.forEach((each) => complete(each, '')),
      argument.variadic,
    )
  }
}

const isAgent = (name: string) => name === 'agent' || name === 'agents'

/** Of agents, where one is asked for. Whoever is not logged in gets none, and is not told so in the middle of a line. */
async function idsFor(
  command: Command,
  path: string[],
  words: readonly string[],
  self: Command,
): Promise<string[]> {
  const wantsId = command.registeredArguments.some((argument) => isAgent(argument.name()))
  if (!wantsId || path.some((each, n) => words[n] !== each)) return []
  const ids: string[] = []
  try {
    const manc = await connect(self)
    const search = words.at(-1) ?? ''
    const signal = AbortSignal.timeout(withinMs)
    for await (const { ap_id: apId } of manc.fleet.agents({ signal, ...(search && { search }) })) {
      ids.push(apId)
      if (ids.length === mostIds) break
    }
  } catch {
    return []
  }
  return ids
}
