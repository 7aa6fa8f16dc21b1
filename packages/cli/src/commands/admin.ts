import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { pipedLine, secret } from '../input.ts'
import { isJson, note, printJson } from '../output/print.ts'
import { connectAsNobody, type Globals, tokenOf } from '../profile.ts'

interface Options {
  setupTokenStdin?: boolean
  passwordStdin?: boolean
}

export function fill(command: Command): void {
  const create = command.command('create <user>').description('create an administrator, also the first one')
  create
    .option('--setup-token-stdin', 'read the setup token of the log from standard input, before the password')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (username: string, options: Options, self: Command) => {
      const bearer = await bearerOf(options, self)
      const password = await secret('password', { isPiped: options.passwordStdin, isNew: true })
      const manc = await connectAsNobody(self)
      const user = await manc.users.createFirst({ username, password, roles: ['admin'] }, bearer)
      if (isJson(self)) await printJson(user)
      else
        note(
          `Created ${user.username} with the roles ${user.roles}. Now: manc login --username ${user.username}`,
        )
    })
  examples(
    create,
    'manc admin create admin@example.org --url http://localhost:8080',
    `printf '%s\\n' "$SETUP_TOKEN" "$PASSWORD" | manc admin create admin@example.org --setup-token-stdin --password-stdin`,
  )
}

/** The setup token, as long as there is no administrator; afterwards the token of one. */
async function bearerOf({ setupTokenStdin }: Options, command: Command): Promise<string> {
  if (setupTokenStdin) return pipedLine('setup token')
  const own = tokenOf(command.optsWithGlobals<Globals>())
  if (own && own.expiresAt > Date.now()) return own.accessToken
  return secret("setup token, from the controller's log")
}
