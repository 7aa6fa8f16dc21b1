import type {
  AgentState,
  EmulatedChoice,
  Health,
  SortOrder,
  TableColumn,
  TableSort,
  Technology,
  View,
  ViewCreate,
} from '@manc/sdk'
import type { Command } from 'commander'
import {
  agentStates,
  emulatedChoices,
  healths,
  oneOf,
  someOf,
  sortOrders,
  tableColumns,
  tableSorts,
  technologies,
} from '../arguments.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { confirm } from '../input.ts'
import { isJson, print, printDone, printJson } from '../output/print.ts'
import { recordLines } from '../output/table.ts'
import { connect } from '../profile.ts'

interface Options {
  name?: string
  columns?: TableColumn[]
  sort?: TableSort
  order?: SortOrder
  health?: Health[]
  technology?: Technology[]
  state?: AgentState[]
  search?: string
  emulated?: EmulatedChoice
  shared?: boolean
}

const defaultColumns: TableColumn[] = ['health', 'name', 'technology', 'clients', 'load_pct', 'last_seen']
const exampleId = '0199a3e5-7c1e-7d0c-9d6a-3f6f0f2a9b11'

export function fill(command: Command): void {
  const show = command.command('show <id>').description('show a view')
  show.action(async (id: string, _options: unknown, self: Command) => {
    const view = await (await connect(self)).views.get(id)
    if (isJson(self)) return printJson(view)
    await print(...recordLines(recordOf(view)))
  })
  examples(show, `manc views show ${exampleId}`)

  const save = command.command('save <name>').description('save a view of the table of access points')
  withOptions(save).action(async (name: string, options: Options, self: Command) => {
    const view = await (await connect(self)).views.create(changed(emptyView(name), options))
    await printDone(self, view, `Saved the view ${view.name}: ${view.id}`)
  })
  examples(
    save,
    'manc views save Broken --health bad,degraded --shared',
    'manc views save Busy --columns name,load_pct,clients --sort load_pct --order desc',
  )

  const update = command.command('update <id>').description('change a view')
  withOptions(update.option('--name <text>', 'new name')).action(
    async (id: string, options: Options, self: Command) => {
      if (Object.keys(options).length === 0) throw wrongUsage('Nothing to change. Use --name, --columns, …')
      const manc = await connect(self)
      const view = await manc.views.update(id, changed(await manc.views.get(id), options))
      await printDone(self, view, `Changed the view ${view.name}: ${view.id}`)
    },
  )
  examples(update, `manc views update ${exampleId} --sort load_pct --order desc`)

  const remove = command.command('remove <id>').description('delete a view')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (id: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Delete the view ${id}?`, options.yes)
      const done = await (await connect(self)).views.remove(id)
      await printDone(self, { removed: id }, done.detail)
    })
  examples(remove, `manc views remove ${exampleId} --yes`)
}

const withOptions = (command: Command): Command =>
  command
    .option('--columns <names>', `columns in their order: ${tableColumns.join(', ')}`, someOf(tableColumns))
    .option('--sort <column>', 'column to sort by; the default is health', oneOf(tableSorts))
    .option('--order <order>', 'asc (the default) or desc', oneOf(sortOrders))
    .option('--health <names>', `only these: ${healths.join(', ')}`, someOf(healths))
    .option('--technology <names>', `only these: ${technologies.join(', ')}`, someOf(technologies))
    .option('--state <names>', `only these: ${agentStates.join(', ')}`, someOf(agentStates))
    .option('--search <text>', 'only those whose id or name contains this text')
    .option('--emulated <which>', 'own, all with those of others, or none', oneOf(emulatedChoices))
    .option('--shared', 'all users can use it')
    .option('--no-shared', 'only you can use it')

const emptyView = (name: string): ViewCreate => ({ name, columns: defaultColumns, filters: {} })

function changed(view: ViewCreate, options: Options): ViewCreate {
  const { health, technology, state, search, emulated } = options
  return {
    name: options.name ?? view.name,
    columns: options.columns ?? view.columns,
    shared: options.shared ?? view.shared ?? false,
    sort: options.sort ?? view.sort ?? 'health',
    order: options.order ?? view.order ?? 'asc',
    filters: {
      ...view.filters,
      ...(health && { health }),
      ...(technology && { technology }),
      ...(state && { state }),
      ...(search !== undefined && { q: search }),
      ...(emulated && { emulated }),
    },
  }
}

const recordOf = ({ id, name, shared, created_by: owner, columns, sort, order, filters }: View) => ({
  id,
  name,
  shared: shared ? 'yes' : 'no',
  owner,
  columns: columns.join(', '),
  sort: `${sort} ${order}`,
  filters: Object.entries(filters)
    .map(([filter, value]) => `${filter}: ${[value].flat().join(', ')}`)
    .join('; '),
})
