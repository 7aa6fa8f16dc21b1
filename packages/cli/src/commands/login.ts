import type { KeptToken, LoginType } from '@manc/sdk'
import { type Command, Option } from 'commander'
import { explainRefusal } from '../errors.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { line, secret } from '../input.ts'
import { printDone } from '../output/print.ts'
import { span } from '../output/text.ts'
import {
  connect,
  connectWithoutLogin,
  type Globals,
  keep,
  type Profile,
  profileName,
  profileOf,
  urlOf,
} from '../profile.ts'

interface Options extends Globals {
  as: LoginType
  username?: string
  passwordStdin?: boolean
  renew?: boolean
}

export function fill(command: Command): void {
  command
    .addOption(
      new Option('--as <kind>', 'kind of caller')
        .choices(['user', 'agent', 'third_party_app'])
        .default('user'),
    )
    .option('--username <name>', 'user name, id of the agent or name of the app')
    .option('--password-stdin', 'read the password, or the API key, from standard input')
    .option('--renew', 'renew the stored login, without the password')
    .action((options: Options, self: Command) => (options.renew ? renew(self) : logIn(options, self)))
  examples(
    command,
    'manc login --url https://manc.example.org --username admin@example.org',
    'manc login --profile lab --username admin@example.org --password-stdin < password.txt',
    'manc login --as third_party_app --username steering',
    'manc login --renew',
  )
}

async function logIn(options: Options, command: Command): Promise<void> {
  const globals = command.optsWithGlobals<Globals>()
  const url = urlOf(globals)
  const username = options.username ?? (await askName(globals, options.as))
  const what = options.as === 'third_party_app' ? 'API key' : 'password'
  const password = await secret(what, { isPiped: options.passwordStdin })
  const tokens: KeptToken[] = []
  const manc = await connectWithoutLogin(command, { onToken: (token) => tokens.push(token) })
  await explainRefusal(
    `The controller at ${url} does not accept the ${kinds[options.as]} ${username} with this ${what}. Check both, and --as.`,
    [401],
    () => manc.logIn({ loginType: options.as, username, password }),
  )
  await store(command, { url, loginType: options.as, username, token: tokens[0] as KeptToken })
}

/** Works until the stored token expires, and not beyond the maximum duration of a session. */
async function renew(command: Command): Promise<void> {
  const globals = command.optsWithGlobals<Globals>()
  const profile = profileOf(globals)
  const tokens: KeptToken[] = []
  const manc = await connect(command, { onToken: (token) => tokens.push(token) })
  await manc.renewSession()
  if (profile) await store(command, { ...profile, token: tokens[0] as KeptToken })
}

async function store(command: Command, profile: Profile & { token: KeptToken }): Promise<void> {
  const globals = command.optsWithGlobals<Globals>()
  const { url, username, token } = profile
  keep(globals, profile)
  const lifeS = (token.expiresAt - Date.now()) / 1000
  await printDone(
    command,
    { url, profile: profileName(globals), username, expires_in: Math.round(lifeS) },
    `Logged in at ${url} as ${username}, for ${span(lifeS)}.`,
  )
}

const kinds: Record<LoginType, string> = { user: 'user', agent: 'agent', third_party_app: 'app' }

function askName(globals: Globals, kind: LoginType): Promise<string> | string {
  const earlier = profileOf(globals)
  if (earlier?.loginType === kind && earlier.username !== '') return earlier.username
  if (!process.stdin.isTTY) throw wrongUsage('The user name is missing. Add --username.')
  return line('user name')
}
