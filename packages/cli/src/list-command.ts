import { type Command, InvalidArgumentError, Option } from 'commander'
import { count, list, moment, oneOf, someOf } from './arguments.ts'
import { examples } from './examples.ts'
import { lists } from './generated/lists.ts'
import { first } from './items.ts'
import type { Filter } from './list-types.ts'
import { paintState } from './output/colour.ts'
import { printList } from './output/print.ts'
import type { Column } from './output/table.ts'
import { connect } from './profile.ts'

type Row = Readonly<Record<string, unknown>>

/** Adds the generated `list` command of a resource. */
export function fill(command: Command): void {
  const resource = command.name()
  const listCommand = lists[resource]
  if (!listCommand) throw new Error(`There is no generated list of ${resource}. Run: npm run docs`)
  const { description, read, defaultLimit, filters, columns } = listCommand
  const listing = command.command('list').description(description)
  for (const filter of filters) listing.addOption(optionOf(filter))
  listing
    .option('--limit <n>', 'maximum number of items', count, defaultLimit)
    .action(async (options: Record<string, unknown>, self: Command) => {
      const { limit = Infinity, ...chosen } = options as { limit?: number }
      const filter = { ...wireNames(filters, chosen), pageSize: Math.min(limit, 1000) }
      const items = await read(await connect(self), filter as never)
      const rows = first(items as AsyncIterable<Row> | readonly Row[], limit)
      await printList(self, rows, columns.map(columnOf), 'None found.')
    })
  examples(listing, ...examplesOf(resource, filters))
}

export function optionOf({ name, kind, description, choices = [] }: Filter): Option {
  const flag = `--${name.replaceAll('_', '-')}`
  switch (kind) {
    case 'flag':
      return new Option(flag, description)
    case 'choice':
      return new Option(`${flag} <name>`, `${description}: ${choices.join(', ')}`).argParser(oneOf(choices))
    case 'choices':
      return new Option(
        `${flag} <names>`,
        `${description}, separated by commas: ${choices.join(', ')}`,
      ).argParser(someOf(choices))
    case 'texts':
      return new Option(`${flag} <texts>`, `${description}, separated by commas`).argParser(list)
    case 'time':
      return new Option(`${flag} <time>`, `${description}: a time, or how long ago, as 2h`).argParser(moment)
    case 'number':
      return new Option(`${flag} <n>`, description).argParser(number)
    default:
      return new Option(`${flag} <text>`, description)
  }
}

function number(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(value)) throw new InvalidArgumentError('Use a number.')
  return value
}

/** Commander keeps options in camel case. */
export const wireNames = (filters: readonly Filter[], options: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = options[name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const columnOf = (field: string): Column<Row> => ({
  title: field.replaceAll('_', ' ').toUpperCase(),
  value: (row) => {
    const value = row[field]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null)
  },
  ...(field === 'state' && { paint: (text, row) => paintState(String(row[field]), text) }),
})

function examplesOf(resource: string, filters: readonly Filter[]): string[] {
  const call = `manc ${resource} list`
  const [choice] = filters.flatMap(({ name, choices }) =>
    choices ? [`${call} --${name.replaceAll('_', '-')} ${choices[0]}`] : [],
  )
  return [call, ...(choice ? [choice] : []), `${call} --json`]
}
