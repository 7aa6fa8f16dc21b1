import { RootCommand, type Command as TabCommand } from '@bomb.sh/tab'
import type { Command } from 'commander'
import { connect } from '../profile.ts'

const maxIds = 100
const timeoutMs = 1000

/** Called by the scripts of `manc completion`: prints what can follow on the command line. */
export function fill(command: Command): void {
  command.argument('[arguments...]').action(async (typed: string[], _options: unknown, self: Command) => {
    const program = self.parent as Command
    const root = new RootCommand()
    describe(root, program, [])
    for (const top of program.commands)
      for (const each of [top, ...top.commands]) {
        const path = each === top ? [top.name()] : [top.name(), each.name()]
        describe(
          root.command(path.join(' '), each.description()),
          each,
          await idsFor(each, path, typed, self),
        )
        // Global options are accepted by every command.
        describe(root.commands.get(path.join(' ')) as TabCommand, program, [])
      }
    root.parse(typed)
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

/** Ids of agents, for commands that take one. Without a login there are none, and no error is printed. */
async function idsFor(
  command: Command,
  path: string[],
  typed: readonly string[],
  self: Command,
): Promise<string[]> {
  const wantsId = command.registeredArguments.some((argument) => isAgent(argument.name()))
  if (!wantsId || path.some((each, n) => typed[n] !== each)) return []
  const ids: string[] = []
  try {
    const manc = await connect(self)
    const search = typed.at(-1) ?? ''
    const signal = AbortSignal.timeout(timeoutMs)
    for await (const { ap_id: apId } of manc.fleet.agents({ signal, ...(search && { search }) })) {
      ids.push(apId)
      if (ids.length === maxIds) break
    }
  } catch {
    return []
  }
  return ids
}
