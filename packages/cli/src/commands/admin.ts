import type { Command } from 'commander'
import { explainRefusal } from '../errors.ts'
import { examples } from '../examples.ts'
import { secret } from '../input.ts'
import { printDone } from '../output/print.ts'
import { connectWithoutLogin, type Globals, tokenOf } from '../profile.ts'

interface Options {
  setupTokenStdin?: boolean
  passwordStdin?: boolean
}

interface Bearer {
  bearer: string
  isSetupToken: boolean
}

export function fill(command: Command): void {
  const create = command.command('create <user>').description('create an administrator, also the first one')
  create
    .option('--setup-token-stdin', 'read the setup token from standard input, before the password')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (username: string, options: Options, self: Command) => {
      const { bearer, isSetupToken } = await bearerOf(options, self)
      const password = await secret('password', { isPiped: options.passwordStdin, isNew: true })
      const manc = await connectWithoutLogin(self)
      const createFirst = () => manc.users.createFirst({ username, password, roles: ['admin'] }, bearer)
      const user = await (isSetupToken ? explainRefusal(refused, [401], createFirst) : createFirst())
      await printDone(
        self,
        user,
        `Created ${user.username} with the roles ${user.roles}. Now: manc login --username ${user.username}`,
      )
    })
  examples(
    create,
    'manc admin create admin@example.org --url http://localhost:8080',
    `printf '%s\\n' "$SETUP_TOKEN" "$PASSWORD" | manc admin create admin@example.org --setup-token-stdin --password-stdin`,
  )
}

const refused =
  "The controller does not accept this setup token. It is in the controller's log, and valid until there is an " +
  'administrator; after that log in as one: manc login'

/** The token of an administrator, or the setup token while there is no administrator. */
async function bearerOf({ setupTokenStdin }: Options, command: Command): Promise<Bearer> {
  const own = tokenOf(command.optsWithGlobals<Globals>())
  if (!setupTokenStdin && own && own.expiresAt > Date.now())
    return { bearer: own.accessToken, isSetupToken: false }
  const setupToken = await secret("setup token (in the controller's log)", { isPiped: setupTokenStdin })
  return { bearer: setupToken, isSetupToken: true }
}
