import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { addressesOf } from '@manc/contract/addresses'
import { parseEmailAddress } from '@manc/validation'
import { envSchema } from 'env-schema'
import type { Static } from 'typebox'
import { Settings } from './settings.ts'

export type Config = Static<typeof Settings>

export class WrongSettings extends Error {
  override readonly name = 'WrongSettings'
}

/** Reads the environment. `X_FILE` may name a file with the value of `X`, for secrets. */
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
  const config = parse(values, problems)
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

function parse(values: Record<string, string>, problems: string[]): Config | undefined {
  try {
    return envSchema<Config>({
      schema: Settings,
      data: values,
      env: false,
      dotenv: false,
      // `limit` documents a setting; the validator rejects unknown keywords.
      ajv: { customOptions: (ajv) => ajv.addKeyword('limit') },
    })
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

/** Checks that the schema cannot express. Values of secrets are not shown. */
function contradictions(config: Config): string[] {
  const problems: string[] = []
  for (const name of urlSettings)
    if (config[name] !== undefined && !URL.canParse(config[name]))
      problems.push(`${name} is not a valid URL.`)
  for (const name of addressSettings)
    if (config[name] !== undefined && !areValid(addressesOf(config[name])))
      problems.push(`${name} is not a valid URL. Several hosts are separated by commas: db1:5432,db2:5432.`)
  if (/,[a-z]+:\/\//.test(config.MANC_DATABASE_URL))
    problems.push(
      'MANC_DATABASE_URL has several URLs. Name the hosts of a database in one: postgres://manc:…@db1:5432,db2:5432/manc.',
    )
  problems.push(...storeProblems(listOf(config.MANC_VICTORIA_URL)))
  for (const origin of listOf(config.MANC_CORS_ORIGINS))
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      problems.push(`MANC_CORS_ORIGINS: ${origin} is not an origin, such as https://console.example.org.`)
  for (const proxy of listOf(config.MANC_TRUSTED_PROXIES))
    if (!isNetwork(proxy))
      problems.push(`MANC_TRUSTED_PROXIES: ${proxy} is not an address or network, such as 10.0.0.0/8.`)
  for (const [name, other] of distinctKeys)
    if (config[name] === config[other])
      problems.push(`${name} is the same key as ${other}. Each key of a rotation has its own value.`)
  if (config.MANC_MAP_TILES !== undefined && tileOriginOf(config.MANC_MAP_TILES) === undefined)
    problems.push(
      'MANC_MAP_TILES is not a URL with {z}, {x} and {y} in its path, such as https://tiles.example.org/{z}/{x}/{y}.png.',
    )
  if (config.MANC_SIGNUP === 'confirmed' && config.MANC_SMTP_URL === undefined)
    problems.push(
      'MANC_SIGNUP=confirmed sends e-mails, and MANC_SMTP_URL is missing. Set it to your mail server, or set MANC_SIGNUP to open or closed.',
    )
  const { MANC_BOOTSTRAP_ADMIN_USERNAME: name, MANC_BOOTSTRAP_ADMIN_PASSWORD: password } = config
  if ((name === undefined) !== (password === undefined))
    problems.push(
      'MANC_BOOTSTRAP_ADMIN_USERNAME and MANC_BOOTSTRAP_ADMIN_PASSWORD belong together: set both or neither.',
    )
  const address = name === undefined ? undefined : parseEmailAddress(name)
  if (address && !('value' in address)) problems.push(`MANC_BOOTSTRAP_ADMIN_USERNAME: ${address.msg}`)
  return problems
}

/** Settings with the addresses of one or several hosts. */
const addressSettings = ['MANC_DATABASE_URL', 'MANC_RABBITMQ_URL', 'MANC_RABBITMQ_MANAGEMENT_URL'] as const

/** One alone may have no host: a PostgreSQL on a socket of this machine. */
const areValid = (addresses: string[]): boolean =>
  addresses.every((each) => URL.canParse(each) && (addresses.length === 1 || new URL(each).hostname !== ''))

const urlSettings = ['MANC_PUBLIC_URL', 'MANC_SMTP_URL', 'MANC_TRACES_URL', 'MANC_AUDIT_SYSLOG_URL'] as const

function storeProblems(urls: readonly string[]): string[] {
  if (!urls.every((url) => /^https?:/.test(url) && URL.canParse(url)))
    return ['MANC_VICTORIA_URL is not a valid URL, or a list of them with commas between.']
  const addresses = urls.map((url) => new URL(url).host + new URL(url).pathname)
  if (new Set(addresses).size === urls.length) return []
  return ['MANC_VICTORIA_URL has the same address twice. Each metrics store is listed once.']
}

/** The second of each pair is optional, but never equal to the first. */
const distinctKeys = [
  ['MANC_TOKEN_KEY', 'MANC_TOKEN_KEY_NEXT'],
  ['MANC_TOKEN_KEY', 'MANC_TOKEN_KEY_PREVIOUS'],
  ['MANC_DATA_KEY', 'MANC_DATA_KEY_NEXT'],
  ['MANC_DATA_KEY', 'MANC_DATA_KEY_PREVIOUS'],
] as const

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** The origin of map tiles; undefined if it is not a URL of tiles. Credentials would be sent to every browser. */
export function tileOriginOf(url: string): string | undefined {
  if (!['{z}', '{x}', '{y}'].every((part) => url.includes(part)) || !URL.canParse(url)) return undefined
  const { protocol, origin, username, password } = new URL(url)
  const isPlain = username === '' && password === '' && !origin.includes('{') && !origin.includes('%7')
  return /^https?:$/.test(protocol) && isPlain ? origin : undefined
}

/** The items of a comma-separated setting. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A key and those that are accepted beside it while it is rotated. */
export interface Keys {
  current: string
  next: string | undefined
  previous: string | undefined
}

export const tokenKeysOf = (config: Config): Keys => ({
  current: config.MANC_TOKEN_KEY,
  next: config.MANC_TOKEN_KEY_NEXT,
  previous: config.MANC_TOKEN_KEY_PREVIOUS,
})

export const dataKeysOf = (config: Config): Keys => ({
  current: config.MANC_DATA_KEY,
  next: config.MANC_DATA_KEY_NEXT,
  previous: config.MANC_DATA_KEY_PREVIOUS,
})

/** The keys beside the current one. */
export const otherKeys = ({ next, previous }: Keys): string[] =>
  [next, previous].filter((key) => key !== undefined)

/** Seconds, by the kind of caller. */
export const tokenLifetimesS = (config: Config) => ({
  user: config.MANC_USER_TOKEN_SECONDS,
  agent: config.MANC_AGENT_TOKEN_SECONDS,
  third_party_app: config.MANC_APP_TOKEN_SECONDS,
})

export const longestTokenS = (config: Config): number => Math.max(...Object.values(tokenLifetimesS(config)))
