import { randomBytes } from 'node:crypto'
import type { Agent } from '@manc/sdk'
import type { Command } from 'commander'
import { duration, oneOf, position, technologies } from '../arguments.ts'
import { explainRefusal } from '../errors.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { jsonObject, secret } from '../input.ts'
import { isJson, print, printJson, printNotice } from '../output/print.ts'
import { connect, connectWithoutLogin } from '../profile.ts'

interface Options {
  configuration?: string
  name?: string
  technology?: string
  at?: { latitude: number; longitude: number }
  interval?: number
  passwordStdin?: boolean
  tokenStdin?: boolean
}

export function fillRegister(command: Command): void {
  const register = withConfiguration(
    command.command('register <agent>').description('register an access point'),
  )
  register.action(async (apId: string, options: Options, self: Command) =>
    registerAgent(self, apId, options, async (agent) => (await connect(self)).agents.register(agent)),
  )
  examples(
    register,
    'manc agents register wifi-1 --technology WiFi --at 51.4545,-2.5879 --name Lobby',
    'manc agents register wifi-2 --configuration @wifi-2.json --password-stdin < password.txt',
  )
  const enrol = withConfiguration(
    command.command('enrol <agent>').description('register an access point with an enrolment token'),
  )
  enrol
    .option(
      '--token-stdin',
      'read the enrolment token from standard input, before the password; default: MANC_ENROLMENT_TOKEN, or a prompt',
    )
    .action(async (apId: string, options: Options, self: Command) => {
      const token = await enrolmentToken(options)
      // The enrolment token replaces the login.
      const manc = await connectWithoutLogin(self)
      const refused =
        `The controller does not accept this enrolment token for ${apId}: it is invalid, is for other ids, is used up, was ` +
        'deleted, or has expired. An administrator can list the tokens: manc enrolment list'
      await registerAgent(self, apId, options, (agent) =>
        explainRefusal(refused, [401, 403], () => manc.agents.enrol(agent, token)),
      )
    })
  examples(
    enrol,
    'manc agents enrol wifi-3 --technology WiFi --url https://manc.example.org',
    'manc agents enrol wifi-3 --token-stdin --url https://manc.example.org < token.txt',
  )
}

async function enrolmentToken({ tokenStdin }: Options): Promise<string> {
  const given = process.env['MANC_ENROLMENT_TOKEN']
  if (!tokenStdin && given) return given
  if (!tokenStdin && !process.stdin.isTTY)
    throw wrongUsage(
      'The enrolment token is missing. Set MANC_ENROLMENT_TOKEN, or pipe it in with --token-stdin. An administrator creates one with: manc enrolment create',
    )
  return secret('enrolment token', { isPiped: tokenStdin })
}

const withConfiguration = (command: Command): Command =>
  command
    .option('--configuration <json>', 'JSON, or @file; the other options are added to it')
    .option('--name <name>', 'display name')
    .option('--technology <name>', `one of ${technologies.join(', ')}`, oneOf(technologies))
    .option('--at <latitude,longitude>', 'position', position)
    .option('--interval <time>', 'interval between samples, for example 10s', duration)
    .option(
      '--password-stdin',
      'read its password from standard input; default: a generated one, which is shown',
    )

async function registerAgent(
  command: Command,
  apId: string,
  options: Options,
  send: (agent: {
    ap_id: string
    password: string
    configuration: Record<string, unknown>
  }) => Promise<Agent>,
): Promise<void> {
  const generated = options.passwordStdin ? undefined : randomBytes(18).toString('base64url')
  const password = generated ?? (await secret('password', { isPiped: true }))
  const configuration = {
    ...(options.configuration !== undefined && (await jsonObject(options.configuration))),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.technology !== undefined && { technology: options.technology }),
    ...(options.at && { geolocation: options.at }),
    ...(options.interval !== undefined && { telemetry_interval_s: options.interval }),
  }
  const agent = await send({ ap_id: apId, password, configuration })
  if (isJson(command)) return printJson({ ...agent, ...(generated !== undefined && { password: generated }) })
  printNotice(
    `Registered ${agent.ap_id}.${generated === undefined ? '' : ' Its password is shown only once:'}`,
  )
  if (generated !== undefined) await print(generated)
}
