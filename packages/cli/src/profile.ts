import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { KeptToken, LoginType, Manc, MancOptions, TlsOptions } from '@manc/sdk'
import type { Command } from 'commander'
import { exitCodes, Failure } from './failure.ts'

/** A stored login. */
export interface Profile {
  url: string
  loginType: LoginType
  username: string
  token?: KeptToken
}

interface Kept {
  profiles: Record<string, Profile>
}

export interface Globals {
  profile?: string
  url?: string
  caFile?: string
  certFile?: string
  clientKeyFile?: string
  json?: boolean
}

const defaultUrl = 'http://localhost:8080'
/** Short, because a person is waiting. */
const retryForMs = 3000

const configFile = (): string =>
  path.join(process.env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config'), 'manc', 'config.json')

export const profileName = ({ profile }: Globals): string =>
  profile ?? (process.env['MANC_PROFILE'] || 'default')

export const profileOf = (globals: Globals): Profile | undefined => read().profiles[profileName(globals)]

export function urlOf(globals: Globals): string {
  const named = globals.profile === undefined ? undefined : profileOf(globals)?.url
  const url = globals.url ?? named ?? (process.env['MANC_URL'] || profileOf(globals)?.url) ?? defaultUrl
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Failure(
      `${url} is not the URL of a controller. Use one like https://manc.example.org.`,
      exitCodes.usage,
    )
  return url
}

export function keep(globals: Globals, profile: Profile): void {
  const kept = read()
  kept.profiles[profileName(globals)] = profile
  const file = configFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  // Written to a temporary file and renamed: no partial file, and none that others can read.
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

function read(): Kept {
  const file = configFile()
  try {
    const { profiles } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>
    return { profiles: profiles ?? {} }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw new Failure(
      `${file} cannot be read: ${(error as Error).message}. Fix it, or remove it and run: manc login`,
    )
  }
}

/** The token for requests, or undefined. */
export function tokenOf(globals: Globals): KeptToken | undefined {
  const given = process.env['MANC_TOKEN']
  // The controller checks its expiry.
  if (given) return { accessToken: given, expiresAt: Number.POSITIVE_INFINITY }
  const profile = profileOf(globals)
  // A token is only sent to the controller that issued it.
  return profile && new URL(profile.url).origin === new URL(urlOf(globals)).origin ? profile.token : undefined
}

/** The certificates of the options, or of the environment. */
export async function tlsOf({ caFile, certFile, clientKeyFile }: Globals): Promise<TlsOptions | undefined> {
  const { env } = process
  const ca = caFile ?? env['MANC_CA_FILE']
  const cert = certFile ?? env['MANC_CERT_FILE']
  const key = clientKeyFile ?? env['MANC_CLIENT_KEY_FILE']
  if (!ca && !cert && !key) return undefined
  const { InvalidTlsFile, readTlsFiles } = await import('@manc/sdk/tls')
  try {
    return readTlsFiles({ ca, cert, key })
  } catch (error) {
    throw error instanceof InvalidTlsFile ? new Failure(error.message, exitCodes.usage) : error
  }
}

let used: KeptToken | undefined

/** Whether the token in use has expired. */
export const isExpired = (): boolean => used !== undefined && used.expiresAt <= Date.now()

/** A client with the stored login. */
export async function connect(command: Command, more: Pick<MancOptions, 'onToken'> = {}): Promise<Manc> {
  const globals = command.optsWithGlobals<Globals>()
  const token = tokenOf(globals)
  const name = profileName(globals)
  const login = name === 'default' ? 'manc login' : `manc login --profile ${name}`
  if (!token)
    throw new Failure(`You are not logged in at ${urlOf(globals)}. Run: ${login}`, exitCodes.notLoggedIn)
  used = token
  if (isExpired()) throw new Failure(`Your login has expired. Run: ${login}`, exitCodes.notLoggedIn)
  return connectTo(globals, { url: urlOf(globals), token, ...more })
}

/** A client for this URL, with the options of the command line. */
export async function connectTo(
  globals: Globals,
  options: Pick<MancOptions, 'url' | 'token' | 'onToken'>,
): Promise<Manc> {
  const { Manc: Controller } = await import('@manc/sdk')
  const tls = await tlsOf(globals)
  return new Controller({ retryForMs, ...(tls && { tls }), ...options })
}

/** A client without a login: to log in, to sign up, and for setup or enrolment tokens. */
export async function connectWithoutLogin(
  command: Command,
  more: Pick<MancOptions, 'onToken'> = {},
): Promise<Manc> {
  const globals = command.optsWithGlobals<Globals>()
  return connectTo(globals, { url: urlOf(globals), ...more })
}
