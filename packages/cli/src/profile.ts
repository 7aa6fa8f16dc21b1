import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { KeptToken, LoginType, Manc, MancOptions } from '@manc/sdk'
import type { Command } from 'commander'
import { exitCodes, Failure } from './failure.ts'

/** A login that is kept. */
interface Profile {
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
  json?: boolean
}

const defaultUrl = 'http://localhost:8080'
/** A person waits: a controller that is away is to be told soon. */
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
      `${url} is no address of a controller. It looks like https://manc.example.org.`,
      exitCodes.usage,
    )
  return url
}

export function keep(globals: Globals, profile: Profile): void {
  const kept = read()
  kept.profiles[profileName(globals)] = profile
  const file = configFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  // Written aside and moved: at no time is there half a file, or one that others may read.
  const aside = `${file}.${process.pid}`
  writeFileSync(aside, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  renameSync(aside, file)
}

function read(): Kept {
  const file = configFile()
  try {
    const { profiles } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>
    return { profiles: profiles ?? {} }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw new Failure(
      `${file} cannot be read: ${(error as Error).message}. Mend it, or remove it and run: manc login`,
    )
  }
}

/** The token that calls are made with; without one, undefined. */
export function tokenOf(globals: Globals): KeptToken | undefined {
  const given = process.env['MANC_TOKEN']
  // When it ends is the controller's to say.
  if (given) return { accessToken: given, expiresAt: Number.POSITIVE_INFINITY }
  const profile = profileOf(globals)
  // A token is for the controller that gave it, and for no other.
  return profile && new URL(profile.url).origin === new URL(urlOf(globals)).origin ? profile.token : undefined
}

let used: KeptToken | undefined

/** Whether the token that was used has come to its end by now. */
export const ended = (): boolean => used !== undefined && used.expiresAt <= Date.now()

/** The controller, as whoever is logged in. */
export async function connect(command: Command): Promise<Manc> {
  const globals = command.optsWithGlobals<Globals>()
  const token = tokenOf(globals)
  const name = profileName(globals)
  const words = name === 'default' ? 'manc login' : `manc login --profile ${name}`
  if (!token)
    throw new Failure(`You are not logged in at ${urlOf(globals)}. Run: ${words}`, exitCodes.notLoggedIn)
  used = token
  if (ended()) throw new Failure(`Your login has ended. Run: ${words}`, exitCodes.notLoggedIn)
  const { Manc: Controller } = await import('@manc/sdk')
  return new Controller({ url: urlOf(globals), token, retryForMs })
}

/** The controller, as nobody: for logging in, signing up, and with tokens of other kinds. */
export async function connectAsNobody(
  command: Command,
  more: Pick<MancOptions, 'onToken'> = {},
): Promise<Manc> {
  const { Manc: Controller } = await import('@manc/sdk')
  return new Controller({ url: urlOf(command.optsWithGlobals<Globals>()), retryForMs, ...more })
}
