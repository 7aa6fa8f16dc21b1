import type { ConfigurationVersion } from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { printDone, printJson, printList } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { ago } from '../output/text.ts'
import { connect } from '../profile.ts'

const columns: readonly Column<ConfigurationVersion>[] = [
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'SET', value: ({ at }) => ago(at) },
  { title: 'BY', value: ({ author }) => author },
  { title: 'BYTES', value: ({ bytes }) => bytes },
  { title: 'CURRENT', value: ({ current }) => (current ? 'yes' : '') },
]

/** Versions of configurations. */
export function fillConfigurations(command: Command): void {
  const list = command
    .command('configurations <agent>')
    .description('list the stored versions of the configuration of an access point')
  list.action(async (apId: string, _options: unknown, self: Command) => {
    const versions = await (await connect(self)).agents.configurations(apId)
    await printList(self, versions, columns, 'None found.')
  })
  examples(list, 'manc agents configurations wifi-1')

  const show = command
    .command('configuration <agent> <version>')
    .description('print one version of the configuration of an access point as JSON')
  show.action(async (apId: string, text: string, _options: unknown, self: Command) => {
    const { configuration } = await (await connect(self)).agents.configuration(apId, versionOf(text))
    await printJson(configuration)
  })
  examples(show, 'manc agents configuration wifi-1 3 > wifi-1.json')

  const restore = command
    .command('restore <agent> <version>')
    .description('make a stored version the configuration of an access point again')
  restore.action(async (apId: string, text: string, _options: unknown, self: Command) => {
    const agent = await (await connect(self)).agents.restore(apId, versionOf(text))
    await printDone(self, agent, `The configuration of ${apId} is that of version ${text}.`)
  })
  examples(restore, 'manc agents restore wifi-1 3')
}

function versionOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw wrongUsage('The version must be a number. List them with: manc agents configurations AGENT')
  return Number(text)
}
