import { parseArgs } from 'node:util'
import { type Role, roles } from './settings.ts'

export const help = `manc-server: the MANC controller

  manc-server [--role ROLE[,ROLE]]     start the server; roles: ${roles.join(', ')} (default: all)
  manc-server migrate                  migrate the database to this version's schema, then exit
  manc-server admin create --username NAME
                                       create an administrator; the password is the first line of standard input
  manc-server keys status              show which keys are in use, and whether the previous ones are still needed
  manc-server keys rotate              re-encrypt stored data with MANC_DATA_KEY while the server runs, then exit
  manc-server telemetry-queues [COUNT] show the telemetry queues and their ingesters, or change their number while the
                                       server runs: 8 (default) to 256; more queues allow more ingesters
  manc-server --help

Settings are read from the environment; docs/configuration.md lists them.

Examples:
  MANC_DATABASE_URL=postgres://… manc-server
  manc-server --role api
  echo "$PASSWORD" | manc-server admin create --username ann@example.org
`

export type Command =
  | { name: 'serve'; roles: string | undefined }
  | { name: 'migrate' }
  | { name: 'admin create'; username: string }
  | { name: 'keys status' }
  | { name: 'keys rotate' }
  | { name: 'telemetry-queues'; count: number | undefined }
  | { name: 'help' }

export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

export function readCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const [first = '', count] = positionals
  const isQueues = first === 'telemetry-queues' && positionals.length <= 2
  const name = isQueues ? first : positionals.join(' ')
  if (values.help) return { name: 'help' }
  if (name !== '' && values.role !== undefined)
    throw new WrongUsage(`--role cannot be used with "${name}": it selects the roles of the server.`)
  if (name !== 'admin create' && values.username !== undefined)
    throw new WrongUsage('--username can only be used with "admin create".')
  switch (name) {
    case '':
      return { name: 'serve', roles: values.role && checkedRoles(values.role) }
    case 'migrate':
    case 'keys status':
    case 'keys rotate':
      return { name }
    case 'telemetry-queues':
      return { name, count: count === undefined ? undefined : Number(count) }
    case 'admin create':
      if (!values.username)
        throw new WrongUsage('Give the name of the administrator: --username ann@example.org')
      return { name, username: values.username }
    default:
      throw new WrongUsage(
        `Unknown command "${name}". The commands are migrate, admin create, keys status, keys rotate and telemetry-queues.`,
      )
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        username: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new WrongUsage((error as Error).message)
  }
}

function checkedRoles(text: string): string {
  for (const name of text.split(','))
    if (!roles.includes(name as Role))
      throw new WrongUsage(`Unknown role "${name}". The roles are ${roles.join(', ')}.`)
  return text
}
