import { randomBytes } from 'node:crypto'
import type { Agent } from '@manc/sdk'
import type { Command } from 'commander'
import { duration, oneOf, position, technologies } from '../arguments.ts'
import { refusedAs } from '../errors.ts'
import { examples } from '../examples.ts'
import { wrongUsage } from '../failure.ts'
import { jsonObject, secret } from '../input.ts'
import { isJson, note, print, printJson } from '../output/print.ts'
import { connect, connectAsNobody } from '../profile.ts'

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
  const register = withConfiguration(command.command('register <agent>').description('register an agent'))
  register.action(async (apId: string, options: Options, self: Command) =>
    registerAgent(self, apId, options, async (agent) => (await connect(self)).agents.register(agent)),
  )
  examples(
    register,
    'manc agents register wifi-1 --technology WiFi --at 51.4545,-2.5879 --name Lobby',
    'manc agents register wifi-2 --configuration @wifi-2.json --password-stdin < password.txt',
  )
  const enrol = withConfiguration(
    command.command('enrol <agent>').description('register an agent with an enrolment token'),
  )
  enrol
    .option(
      '--token-stdin',
      'read the enrolment token from standard input, before the password; else it is MANC_ENROLMENT_TOKEN, or asked for',
    )
    .action(async (apId: string, options: Options, self: Command) => {
      const token = await enrolmentToken(options)
      // With that token, whoever else is logged in.
      const manc = await connectAsNobody(self)
      const refused =
        `The controller does not take this enrolment token for ${apId}: it is not one, is for other ids, was used up or ` +
        'withdrawn, or has ended. An administrator sees them with: manc enrolment list'
      await registerAgent(self, apId, options, (agent) =>
        refusedAs(refused, [401, 403], () => manc.agents.enrol(agent, token)),
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
      'Which enrolment token? Set MANC_ENROLMENT_TOKEN, or pipe it in with --token-stdin. An administrator makes one: manc enrolment create',
    )
  return secret('enrolment token', { isPiped: tokenStdin })
}

const withConfiguration = (command: Command): Command =>
  command
    .option('--configuration <json>', 'JSON, or @file; what the other options say is added')
    .option('--name <name>', 'what people call it')
    .option('--technology <name>', `one of ${technologies.join(', ')}`, oneOf(technologies))
    .option('--at <latitude,longitude>', 'where it is', position)
    .option('--interval <time>', 'how often it means to send, for example 10s', duration)
    .option('--password-stdin', 'read its password from standard input; else one is made and shown')

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
  const made = options.passwordStdin ? undefined : randomBytes(18).toString('base64url')
  const password = made ?? (await secret('password', { isPiped: true }))
  const configuration = {
    ...(options.configuration !== undefined && (await jsonObject(options.configuration))),
    ...(options.name !== undefined && { name: options.name }),
    ...(options.technology !== undefined && { technology: options.technology }),
    ...(options.at && { geolocation: options.at }),
    ...(options.interval !== undefined && { telemetry_interval_s: options.interval }),
  }
  const agent = await send({ ap_id: apId, password, configuration })
  if (isJson(command)) return printJson({ ...agent, ...(made !== undefined && { password: made }) })
  note(`Registered ${agent.ap_id}.${made === undefined ? '' : ' Its password is shown this once:'}`)
  if (made !== undefined) await print(made)
}
