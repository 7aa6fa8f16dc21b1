import { parseArgs } from 'node:util'
import { type Role, roles } from './config.ts'

export const help = `manc-server: the MANC controller

  manc-server [--role ROLE[,ROLE]]     serve; roles: ${roles.join(', ')} (all of them by default)
  manc-server migrate                  bring the database to this version's schema, then end
  manc-server admin create --username NAME
                                       create an administrator; the password is the first line of standard input
  manc-server --help

Settings come from the environment: docs/configuration.md lists them.

Examples:
  MANC_DATABASE_URL=postgres://… manc-server
  manc-server --role api
  echo "$PASSWORD" | manc-server admin create --username ann@example.org
`

export type Command =
  | { name: 'serve'; roles: string | undefined }
  | { name: 'migrate' }
  | { name: 'admin create'; username: string }
  | { name: 'help' }

export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

export function readCommand(words: string[]): Command {
  const { values, positionals } = parsed(words)
  const name = positionals.join(' ')
  if (values.help) return { name: 'help' }
  if (name !== '' && values.role !== undefined)
    throw new WrongUsage(`--role goes with serving, not with "${name}".`)
  if (name !== 'admin create' && values.username !== undefined)
    throw new WrongUsage('--username goes with "admin create".')
  switch (name) {
    case '':
      return { name: 'serve', roles: values.role && checkedRoles(values.role) }
    case 'migrate':
      return { name }
    case 'admin create':
      if (!values.username) throw new WrongUsage('Name the administrator: --username ann@example.org')
      return { name, username: values.username }
    default:
      throw new WrongUsage(`There is no command "${name}".`)
  }
}

function parsed(words: string[]) {
  try {
    return parseArgs({
      args: words,
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
      throw new WrongUsage(`There is no role "${name}". The roles are ${roles.join(', ')}.`)
  return text
}
