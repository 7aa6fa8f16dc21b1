import { randomBytes } from 'node:crypto'
import type { Scope, ThirdPartyApp, ThirdPartyAppUpdate } from '@manc/sdk'
import type { Command } from 'commander'
import { list, someOf } from '../arguments.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { confirm, jsonObject, secret } from '../input.ts'
import { printDone, printNotice, printRecord } from '../output/print.ts'
import { connect } from '../profile.ts'

interface Options {
  permissions?: string
  scopes?: Scope[]
  agents?: string[]
  keyStdin?: boolean
  newKey?: boolean
  sandbox?: boolean
}

export function fill(command: Command): void {
  const register = command.command('register <app>').description('register a third-party application')
  register
    .option(
      '--scopes <names>',
      `what it may do, separated by commas: ${Object.keys(scopes).join(', ')}`,
      someOf(Object.keys(scopes) as Scope[]),
    )
    .option('--agents <patterns>', 'access points that it may access, separated by commas, as wifi-*', list)
    .option('--sandbox', 'restrict it to emulated access points until it is promoted')
    .option('--permissions <json>', 'permissions in full, in place of the three above: JSON, or @file')
    .option('--key-stdin', 'read its API key from standard input; default: a generated one')
    .action(async (name: string, options: Options, self: Command) => {
      const apiKey = options.keyStdin ? await secret('API key', { isPiped: true }) : newKey()
      const permissions = await permissionsOf(options)
      if (Object.keys(permissions).length === 0) printNotice(proposal)
      const manc = await connect(self)
      await show(self, await manc.apps.register({ app_name: name, api_key: apiKey, permissions }))
    })
  examples(
    register,
    "manc apps register dashboard --scopes agents:read,metrics:read --agents 'wifi-*'",
    'manc apps register advisor --scopes agents:read,decisions:write --sandbox',
    `manc apps register steering --permissions '{"scopes": ["commands:send"], "agents": ["wifi-*"], "priority": 5}'`,
  )

  const get = command.command('get <app>').description('show one application, with its key')
  get.action(async (name: string, _options: unknown, self: Command) => {
    await show(self, await (await connect(self)).apps.get(name))
  })
  examples(get, 'manc apps get steering')

  const update = command
    .command('update <app>')
    .description('change the key or the permissions of an application')
  update
    .option('--permissions <json>', 'the complete new permissions: JSON, or @file')
    .option('--new-key', 'set a new random key')
    .option('--key-stdin', 'read the new key from standard input')
    .action(async (name: string, options: Options, self: Command) => {
      const change = await changeOf(options)
      await show(self, await (await connect(self)).apps.update(name, change))
    })
  examples(
    update,
    'manc apps update steering --new-key',
    'manc apps update steering --permissions @permissions.json',
  )

  const promote = command
    .command('promote <app>')
    .description('end the restriction of an application to emulated access points')
  promote
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, options: { yes?: boolean }, self: Command) => {
      const manc = await connect(self)
      const { permissions } = await manc.apps.get(name)
      if (!isSandboxed(permissions)) throw wrongUsage(`The application ${name} is not in the sandbox.`)
      const reach = JSON.stringify(permissions['agents'] ?? true)
      await confirm(`Let the application ${name} access real access points: agents ${reach}?`, options.yes)
      await manc.apps.update(name, { permissions: { ...permissions, sandbox: false } })
      await printDone(
        self,
        { promoted: name },
        `The application ${name} is in production. It has to log in again.`,
      )
    })
  examples(promote, 'manc apps promote advisor --yes')

  const remove = command.command('remove <app>').description('remove an application')
  remove
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, options: { yes?: boolean }, self: Command) => {
      await confirm(`Remove the application ${name}?`, options.yes)
      const done = await (await connect(self)).apps.remove(name)
      await printDone(self, { removed: name }, done.detail)
    })
  examples(remove, 'manc apps remove steering --yes')
}

const scopes: Record<Scope, string> = {
  'agents:read': 'read access points and their configuration',
  'metrics:read': 'read current metrics and live data',
  'history:read': 'request historical data',
  'commands:send': 'send commands to access points',
  'emulator:spinup': 'start emulated networks',
  'clients:read': 'read clients and their attachments',
  'alarms:read': 'read alarms, their rules and silences',
  'alarms:write': 'acknowledge, assign and silence alarms',
  'decisions:read': 'read decisions of the app',
  'decisions:write': 'record, propose and execute decisions',
  'experiments:read': 'read experiments of the app',
  'experiments:write': 'start, cancel and delete experiments',
  'callbacks:post': "post results to other callers' jobs; for emulators",
}

const proposal = [
  'Without --scopes the application has the default rights of the controller. Grant only what it needs:',
  ...Object.entries(scopes).map(([scope, meaning]) => `  ${scope.padEnd(17)} ${meaning}`),
  "For example: --scopes agents:read,metrics:read --agents 'wifi-*'",
].join('\n')

async function permissionsOf({
  permissions,
  scopes: chosen,
  agents,
  sandbox,
}: Options): Promise<Record<string, unknown>> {
  if (permissions === undefined)
    return { ...(chosen && { scopes: chosen }), ...(agents && { agents }), ...(sandbox && { sandbox }) }
  if (chosen || agents || sandbox)
    throw wrongUsage('Use either --permissions, or --scopes, --agents and --sandbox.')
  return jsonObject(permissions)
}

/** As the controller decides it: any value but false restricts the application. */
const isSandboxed = ({ sandbox }: Record<string, unknown>) => sandbox !== undefined && sandbox !== false

const newKey = () => randomBytes(24).toString('base64url')

async function changeOf({ permissions, keyStdin, newKey: isNew }: Options): Promise<ThirdPartyAppUpdate> {
  const apiKey = keyStdin ? await secret('API key', { isPiped: true }) : isNew ? newKey() : undefined
  const change = {
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(permissions !== undefined && { permissions: await jsonObject(permissions) }),
  }
  if (Object.keys(change).length === 0)
    throw wrongUsage('There is nothing to change. Add --permissions, --new-key or --key-stdin.')
  return change
}

const show = (command: Command, app: ThirdPartyApp) =>
  printRecord(command, app, {
    app: app.app_name,
    id: app.id,
    state: isSandboxed(app.permissions) ? 'sandbox' : 'production',
    'API key': app.api_key,
    permissions: JSON.stringify(app.permissions),
  })
