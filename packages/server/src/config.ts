import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEmailAddress } from '@manc/validation'
import { envSchema } from 'env-schema'
import Type, { type Static } from 'typebox'

export const roles = ['api', 'subscriber', 'ingester'] as const
export type Role = (typeof roles)[number]

const seconds = (standard: number, description: string) =>
  Type.Integer({ default: standard, minimum: 1, maximum: 31_536_000, description })
const count = (standard: number, description: string) =>
  Type.Integer({ default: standard, minimum: 1, maximum: 1_000_000_000_000, description })
const secret = (description: string) => Type.String({ minLength: 32, description, writeOnly: true })
const port = (standard: number, description: string) =>
  Type.Integer({ default: standard, minimum: 0, maximum: 65_535, description })

/** Every setting there is, with its name in the environment. `docs/configuration.md` is made from this. */
export const Settings = Type.Object({
  MANC_ROLES: Type.String({
    default: roles.join(','),
    pattern: `^(${roles.join('|')})(,(${roles.join('|')}))*$`,
    description: 'The roles of this process, comma-separated. `--role` overrides it.',
  }),
  MANC_HOST: Type.String({ default: '0.0.0.0', description: 'Address of the public listener.' }),
  MANC_PORT: port(8080, 'Port of the public listener; 0 picks a free one.'),
  MANC_INTERNAL_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address of the internal listener (`/metrics`, health). Keep it out of reach of the public.',
  }),
  MANC_INTERNAL_PORT: port(8081, 'Port of the internal listener; 0 picks a free one.'),
  MANC_PUBLIC_URL: Type.String({
    default: 'http://localhost:8080',
    pattern: '^https?://[^\\s]+$',
    description: 'Where people reach this server; links in e-mails begin with it.',
  }),
  MANC_DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    writeOnly: true,
    description: 'PostgreSQL, for example `postgres://manc:…@db:5432/manc`.',
  }),
  MANC_DATABASE_CONNECTIONS: count(
    20,
    'Connections to PostgreSQL that one process may open, beside one for small reads.',
  ),
  MANC_RABBITMQ_URL: Type.String({
    pattern: '^amqps?://',
    writeOnly: true,
    description: 'RabbitMQ, for example `amqp://manc:…@broker:5672`.',
  }),
  MANC_RABBITMQ_MANAGEMENT_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      writeOnly: true,
      description:
        "RabbitMQ's management interface, with a user of the tag `administrator`, for example `http://manc:…@broker:15672`. Without it an agent that is deleted or gets a new password stays connected to the broker until it disconnects.",
    }),
  ),
  MANC_BROKER_SECRET: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{32,128}$',
      writeOnly: true,
      description:
        'Lets RabbitMQ ask about agents from another machine: the paths in its configuration are then `/broker/<secret>/user` and so on, on the internal listener. 32 to 128 letters, digits, `-` and `_`. Without it questions from this machine alone are answered, at `/broker/user`.',
    }),
  ),
  MANC_VICTORIA_URL: Type.String({
    pattern: '^https?://',
    description: 'VictoriaMetrics, for example `http://metrics:8428`.',
  }),
  MANC_TOKEN_KEY: secret('Signs access tokens. At least 32 characters; the same on every replica.'),
  MANC_DATA_KEY: secret(
    'Encrypts API keys and keys the hashes of generated secrets. At least 32 characters; the same on every replica; losing it loses the API keys.',
  ),
  MANC_SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      writeOnly: true,
      description: 'Mail server, for example `smtp://user:…@mail:587`. Without it no recovery mail is sent.',
    }),
  ),
  MANC_MAIL_FROM: Type.String({ default: 'MANC <manc@localhost>', description: 'Sender of e-mails.' }),
  MANC_BOOTSTRAP_ADMIN_USERNAME: Type.Optional(
    Type.String({ description: 'While there is no administrator, one with this name is created at start.' }),
  ),
  MANC_BOOTSTRAP_ADMIN_PASSWORD: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 256,
      writeOnly: true,
      description: 'Its password, at least 8 characters.',
    }),
  ),
  MANC_CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins whose pages may call the interface, comma-separated. None by default.',
  }),
  MANC_TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or networks of proxies whose `X-Forwarded-For` is believed. None by default.',
  }),
  MANC_LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description:
      'Least severe level that is logged: trace, debug, info, warn, error or silent. Successful requests are `debug`.',
  }),
  MANC_BODY_LIMIT_BYTES: count(1_048_576, 'Largest request body.'),
  MANC_USER_TOKEN_SECONDS: seconds(1800, "Life of a user's access token."),
  MANC_AGENT_TOKEN_SECONDS: seconds(3600, "Life of an agent's access token."),
  MANC_APP_TOKEN_SECONDS: seconds(3600, "Life of a third-party app's access token."),
  MANC_RESET_TOKEN_SECONDS: seconds(600, 'Life of a password-reset token.'),
  MANC_LOGIN_FREE_FAILURES: count(10, 'Failed logins of one account that cost no wait.'),
  MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: count(300, 'Failed logins from one address that cost no wait.'),
  MANC_LOGIN_WINDOW_SECONDS: seconds(900, 'Failed logins are forgotten after this long without another.'),
  MANC_LOGIN_MAX_WAIT_SECONDS: seconds(
    900,
    'The longest wait; it begins at 1 s and doubles with each failure.',
  ),
  MANC_SIGNUPS_PER_MINUTE: count(300, 'Signups from one address, per replica.'),
  MANC_RECOVERIES_PER_HOUR: count(5, 'Recovery mails that can be asked for one account.'),
  MANC_RATE_ANONYMOUS_PER_MINUTE: count(30_000, 'Requests without a token from one address, per replica.'),
  MANC_RATE_CALLER_PER_MINUTE: count(30_000, 'Requests of one user or app, per replica.'),
  MANC_RATE_AGENT_PER_MINUTE: count(6000, 'Requests of one agent, per replica.'),
  MANC_TELEMETRY_DAYS: count(
    395,
    'Days that telemetry is kept; older samples are refused. Set the same at the metrics store.',
  ),
  MANC_INGESTER_HELD_BYTES: count(
    268_435_456,
    'Telemetry that one ingester holds in memory until it is safe in the metrics store.',
  ),
  MANC_API_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description:
        'Where a subscriber posts results: any `api` process, or what stands before them. Not needed by a process that has both roles.',
    }),
  ),
  MANC_JOB_SECONDS: seconds(86_400, 'A job that takes longer ends as failed.'),
  MANC_COMMAND_SECONDS: seconds(300, 'A command that its agent did not get within this time expires.'),
  MANC_COMMAND_DELIVERY_SECONDS: seconds(
    10,
    'An agent that does not say within this time that it has a command is sent it again.',
  ),
  MANC_COMMAND_RESULT_SECONDS: seconds(
    120,
    'A command whose result does not come within this time has timed out.',
  ),
  MANC_COMMAND_HOLD_SECONDS: seconds(
    10,
    'An app that has sent a command has the agent to itself for this long.',
  ),
  MANC_EMULATED_AGENTS: count(20_000, 'Emulated agents that one caller may have running.'),
  MANC_EMULATOR_WAIT_SECONDS: seconds(
    600,
    'An emulation that no emulator has taken within this time has failed. The broker keeps it no longer either.',
  ),
  MANC_EMULATED_KEEP_SECONDS: seconds(3600, 'Emulated agents are removed this long after their end.'),
  MANC_MAILBOX_SECONDS: seconds(86_400, 'Results wait this long for their client.'),
  MANC_MAILBOX_BYTES: count(
    8_388_608,
    'Results of one job that wait for its client; more is made when it has read.',
  ),
  MANC_MAILBOXES_BYTES: count(
    17_179_869_184,
    'All mailboxes together, on the disk of the database; beyond it callbacks answer 503.',
  ),
  MANC_SOCKET_IDLE_SECONDS: seconds(86_400, 'A WebSocket on which nothing comes for this long is closed.'),
  MANC_AUDIT_DAYS: count(400, 'Days that the audit log is kept.'),
})

export type Config = Static<typeof Settings>

export class WrongSettings extends Error {
  override readonly name = 'WrongSettings'
}

/** Reads the environment. `X_FILE` may name a file that holds the value of `X`, for secrets. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const values: Record<string, string> = {}
  for (const name of Object.keys(Settings.properties)) {
    const value = environment[name] ?? fromFile(environment, name, problems)
    if (value !== undefined && value !== '') values[name] = value
  }
  for (const name of Object.keys(environment))
    if (name.startsWith('MANC_') && !(name.replace(/_FILE$/, '') in Settings.properties))
      problems.push(`${name} is not a setting. docs/configuration.md lists them all.`)
  const config = parsed(values, problems)
  if (config) problems.push(...contradictions(config))
  if (config && problems.length === 0) return config
  throw new WrongSettings(`Wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
}

function fromFile(environment: NodeJS.ProcessEnv, name: string, problems: string[]): string | undefined {
  const path = environment[`${name}_FILE`]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

interface SchemaProblem {
  instancePath: string
  keyword: string
  message: string
  params: { missingProperty?: string }
}

function parsed(values: Record<string, string>, problems: string[]): Config | undefined {
  try {
    return envSchema<Config>({ schema: Settings, data: values, env: false, dotenv: false })
  } catch (error) {
    const found = (error as { errors?: SchemaProblem[] }).errors
    if (!found) throw error
    for (const { instancePath, keyword, message, params } of found) {
      const name = params.missingProperty ?? instancePath.slice(1)
      const { description = '' } = Settings.properties[name as keyof typeof Settings.properties] as {
        description?: string
      }
      problems.push(`${name} ${keyword === 'required' ? 'is missing' : message}. ${description}`)
    }
    return undefined
  }
}

/** What a pattern cannot see. Values are not shown: many are secrets. */
function contradictions(config: Config): string[] {
  const problems: string[] = []
  for (const name of urlSettings)
    if (config[name] !== undefined && !URL.canParse(config[name])) problems.push(`${name} is no valid URL.`)
  for (const origin of listOf(config.MANC_CORS_ORIGINS))
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      problems.push(`MANC_CORS_ORIGINS: ${origin} is no origin, such as https://console.example.org.`)
  for (const proxy of listOf(config.MANC_TRUSTED_PROXIES))
    if (!isNetwork(proxy))
      problems.push(`MANC_TRUSTED_PROXIES: ${proxy} is no address or network, such as 10.0.0.0/8.`)
  const { MANC_BOOTSTRAP_ADMIN_USERNAME: name, MANC_BOOTSTRAP_ADMIN_PASSWORD: password } = config
  if ((name === undefined) !== (password === undefined))
    problems.push(
      'MANC_BOOTSTRAP_ADMIN_USERNAME and MANC_BOOTSTRAP_ADMIN_PASSWORD go together: set both or neither.',
    )
  const address = name === undefined ? undefined : parseEmailAddress(name)
  if (address && !('value' in address)) problems.push(`MANC_BOOTSTRAP_ADMIN_USERNAME: ${address.msg}`)
  return problems
}

const urlSettings = [
  'MANC_PUBLIC_URL',
  'MANC_DATABASE_URL',
  'MANC_RABBITMQ_URL',
  'MANC_RABBITMQ_MANAGEMENT_URL',
  'MANC_VICTORIA_URL',
  'MANC_SMTP_URL',
] as const

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** The parts of a comma-separated setting. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Seconds, by the kind of caller. */
export const tokenLifetimesS = (config: Config) => ({
  user: config.MANC_USER_TOKEN_SECONDS,
  agent: config.MANC_AGENT_TOKEN_SECONDS,
  third_party_app: config.MANC_APP_TOKEN_SECONDS,
})

export const longestTokenS = (config: Config): number => Math.max(...Object.values(tokenLifetimesS(config)))
