import { randomBytes } from 'node:crypto'
import type { Agent, AgentUpdate } from '@manc/sdk'
import type { Command } from 'commander'
import {
  agentStates,
  area,
  count,
  emulatedChoices,
  fleetOrders,
  healths,
  list,
  moment,
  oneOf,
  someOf,
  technologies,
} from '../arguments.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { confirm, jsonFile, jsonObject, secret } from '../input.ts'
import { isJson, print, printDone, printJson, printNotice, printRecord } from '../output/print.ts'
import { connect } from '../profile.ts'
import { fillConfigurations } from './agents.configurations.ts'
import { listAgents } from './agents.list.ts'
import { fillRegister } from './agents.register.ts'
import { fillRejections } from './agents.rejections.ts'
import { watchAgents } from './agents.watch.ts'

export function fill(command: Command): void {
  fillReads(command)
  fillRegister(command)
  const update = command
    .command('update <agent>')
    .description('change the password or the configuration of an access point')
  update
    .option('--configuration <json>', 'the complete new configuration: JSON, or @file')
    .option('--new-password', 'set a new random password, shown only once')
    .option('--password-stdin', 'read the new password from standard input')
    .action(updateAgent)
  examples(
    update,
    'manc agents update wifi-1 --configuration @wifi-1.json',
    'manc agents update wifi-1 --new-password',
  )

  const remove = command.command('remove <agent>').description('remove an access point; its history is kept')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (apId: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Remove the access point ${apId}?`, options.yes)
      const done = await (await connect(self)).agents.remove(apId)
      await printDone(self, { removed: apId }, done.detail)
    })
  examples(remove, 'manc agents remove wifi-1', 'manc agents remove wifi-1 --yes')
  fillSendUpdate(command)
  fillRejections(command)
  fillConfigurations(command)
}

function fillReads(command: Command): void {
  const listing = command.command('list').description('list access points with their states and health')
  listing
    .option(
      '--technology <names>',
      `only these, separated by commas: ${technologies.join(', ')}`,
      someOf(technologies),
    )
    .option('--state <names>', `only these: ${agentStates.join(', ')}`, someOf(agentStates))
    .option('--health <names>', `only these: ${healths.join(', ')}`, someOf(healths))
    .option('--search <text>', 'only those whose id or name contains this text')
    .option('--area <west,south,east,north>', 'only those in this area, in degrees', area)
    .option(
      '--emulated <which>',
      'own (the default), all with those of others, or none',
      oneOf(emulatedChoices),
    )
    .option('--sort <order>', 'id (the default), or health with the worst first', oneOf(fleetOrders))
    .option('--details', 'all access points with their configuration')
    .option('--report', 'the same as a job, with their connection state: for large networks')
    .action(listAgents)
  examples(
    listing,
    'manc agents list',
    'manc agents list --technology WiFi --state stale,offline',
    'manc agents list --health bad,degraded --sort health',
    'manc agents list --area -2.62,51.44,-2.55,51.47 --json',
  )
  const get = command.command('get <agent>').description('show one access point')
  get.action(async (apId: string, _options: unknown, self: Command) => {
    await showAgent(self, await (await connect(self)).agents.get(apId))
  })
  examples(get, 'manc agents get wifi-1')
  const watch = command.command('watch <agents...>').description('show samples as they arrive')
  watch
    .option('--metrics <names>', 'only these, separated by commas', list)
    .option('--count <n>', 'stop after this number of samples', count)
    .action(watchAgents)
  examples(
    watch,
    'manc agents watch wifi-1 wifi-2',
    'manc agents watch wifi-1 --metrics clients,rssi_dbm --json --count 10',
  )
}

function fillSendUpdate(command: Command): void {
  const send = command
    .command('send-update <agent> [values...]')
    .description('send a sample on behalf of an access point')
  send
    .option('--time <time>', 'time of the sample: a time, or how long ago, as 5m', moment)
    .option('--file <file>', 'a complete update as JSON instead of values; - is standard input')
    .action(
      async (apId: string, values: string[], options: { time?: Date; file?: string }, self: Command) => {
        if (options.file !== undefined && values.length > 0)
          throw wrongUsage('--file has a complete update. Remove the option, or the values.')
        const body =
          options.file === undefined
            ? { payload: payloadOf(values) }
            : ((await jsonFile(options.file)) as object)
        const ts = options.time && { ts: options.time.toISOString() }
        const accepted = await (await connect(self)).agents.sendUpdate({ ap_id: apId, ...ts, ...body })
        await printDone(self, accepted, accepted.detail)
      },
    )
  examples(
    send,
    'manc agents send-update wifi-1 clients=12 rssi_dbm=-61.5',
    'manc agents send-update wifi-1 --file update.json',
  )
}

async function updateAgent(
  apId: string,
  options: { configuration?: string; newPassword?: boolean; passwordStdin?: boolean },
  command: Command,
): Promise<void> {
  const generated = options.newPassword ? randomBytes(18).toString('base64url') : undefined
  const password = options.passwordStdin ? await secret('password', { isPiped: true }) : generated
  const change: AgentUpdate = {
    ...(password !== undefined && { password }),
    ...(options.configuration !== undefined && { configuration: await jsonObject(options.configuration) }),
  }
  if (Object.keys(change).length === 0)
    throw wrongUsage('There is nothing to change. Add --configuration, --new-password or --password-stdin.')
  if (options.newPassword && options.passwordStdin)
    throw wrongUsage(
      '--new-password and --password-stdin exclude each other. Remove one; --new-password generates a password.',
    )
  const agent = await (await connect(command)).agents.update(apId, change)
  if (isJson(command)) return printJson({ ...agent, ...(generated !== undefined && { password: generated }) })
  printNotice(
    `Changed ${agent.ap_id}.${generated === undefined ? '' : ' Its new password is shown only once:'}`,
  )
  if (generated !== undefined) await print(generated)
}

const showAgent = (command: Command, agent: Agent) =>
  printRecord(command, agent, {
    agent: agent.ap_id,
    id: agent.id,
    configuration: JSON.stringify(agent.configuration),
  })

function payloadOf(values: readonly string[]): Record<string, number | string> {
  if (values.length === 0)
    throw wrongUsage('There are no values to send. Add values like clients=12, or --file.')
  return Object.fromEntries(
    values.map((each) => {
      const [name, text] = [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]
      if (!each.includes('=') || name === '') throw wrongUsage(`${each} is not a value. Write name=value.`)
      return [name, text === '' || Number.isNaN(Number(text)) ? text : Number(text)]
    }),
  )
}
