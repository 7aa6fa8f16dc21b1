import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TlsFiles } from '@manc/sdk/tls'
import { Check } from 'typebox/value'
import type { AllowedCommand } from '../commands.ts'
import { driverKinds } from '../drivers/index.ts'
import {
  type ListenerOptions,
  listenerSchema,
  resolveListener,
  serialProblems,
} from '../drivers/ucentral/listener-settings.ts'
import { InvalidSettings } from './invalid-settings.ts'
import { addressProblems, problemsOf, whatToWrite } from './problems.ts'
import {
  type AccessPointMembers,
  accessPointSchema,
  commandSchema,
  type FileMembers,
  fileSchema,
} from './schema.ts'

/** One access point: what it is called, what it sends, and how its device is read. */
export interface AccessPointSettings {
  /** If undefined, derived from the MAC address of the first network card. Only of a file without `access_points`. */
  apId: string | undefined
  password: string | undefined
  enrolmentToken: string | undefined
  /** For its password and unsent samples. */
  stateFolder: string
  intervalS: number
  timeoutS: number
  keepMib: number
  configuration: Record<string, unknown>
  commands: Record<string, AllowedCommand>
  /** `driver` is the name of a kind; the rest are its options. */
  device: { driver: string } & Record<string, unknown>
}

export interface Settings {
  url: string
  mqttUrl: string | undefined
  /** PEM files. */
  tlsFiles: TlsFiles
  concurrency: number
  /** Where access points connect that have the driver `ucentral`. */
  ucentral: ListenerOptions | undefined
  accessPoints: AccessPointSettings[]
  /** Files that the settings name. A change of one is a change of the settings. */
  files: string[]
}

export const defaultFile = '/etc/manc-agent.json'

export function readSettings(file: string): Settings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidSettings(
      `${file} cannot be read: ${(error as Error).message}. Write one, or name another: --settings FILE`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidSettings(`${file} is not valid JSON: ${(error as Error).message}`)
  }
  const settings = checkSettings(value)
  return { ...settings, files: [file, ...settings.files] }
}

/** Throws `InvalidSettings` with a line for each problem. */
export function checkSettings(value: unknown): Settings {
  const problems = problemsOf(fileSchema, value, '')
  if (!isObject(value)) throw new InvalidSettings(problems.join('\n'))
  const members = value as FileMembers
  const { access_points: entries, ...top } = members
  const files: string[] = []
  const resolve = (entry: AccessPointMembers, where: string, folder: string) =>
    accessPointOf(entry, where, folder, { problems, files })
  const stateFolder = textOr(members.state_folder, '/var/lib/manc-agent')
  const accessPoints = Array.isArray(entries)
    ? listed(entries, top, problems).map(({ entry, where }) =>
        resolve(entry, where, path.join(stateFolder, textOr(entry.ap_id, ''))),
      )
    : [resolve(top, '', stateFolder)]
  problems.push(...conflictsOf(accessPoints))
  const listener = Check(listenerSchema, members.ucentral)
    ? resolveListener(members.ucentral, 'ucentral')
    : undefined
  problems.push(...(listener?.problems ?? []))
  files.push(...(listener?.files ?? []))
  const devices = accessPoints.map(({ device }) => device)
  problems.push(...serialProblems(devices, members.ucentral !== undefined))
  for (const name of ['url', 'mqtt_url'] as const) {
    const schema = fileSchema.properties[name]
    const address: unknown = members[name]
    if (typeof address === 'string' && Check(schema, address))
      problems.push(
        ...addressProblems(schema, address, name, 'an agent logs in with its ap_id and password.'),
      )
  }
  if (problems.length > 0) throw new InvalidSettings([...new Set(problems)].join('\n'), files)
  return {
    url: members.url,
    mqttUrl: members.mqtt_url,
    tlsFiles: { ca: members.ca_file, cert: members.cert_file, key: members.client_key_file },
    concurrency: members.concurrency ?? 64,
    ucentral: listener?.options,
    accessPoints,
    files: [...new Set(files)],
  }
}

interface Entry {
  entry: AccessPointMembers
  where: string
}

/** The entries of `access_points`, completed with the defaults beside it. */
function listed(entries: readonly unknown[], top: Partial<FileMembers>, problems: string[]): Entry[] {
  for (const name of ['ap_id', 'password'] as const)
    if (top[name] !== undefined)
      problems.push(`${name} belongs to one access point. Write it into its entry of access_points.`)
  return entries.flatMap((value, n) => {
    const where = `access_points[${n}]`
    const own = problemsOf(accessPointSchema, value, where)
    if (isObject(value) && value['ap_id'] === undefined)
      own.push(`${where}.ap_id is missing. Write ${whatToWrite(accessPointSchema.properties.ap_id)}`)
    problems.push(...own)
    if (own.length > 0) return []
    const entry = value as AccessPointMembers
    const merged = {
      ...top,
      ...entry,
      configuration: { ...top.configuration, ...entry.configuration },
      commands: { ...top.commands, ...entry.commands },
      device: { ...(!isOtherDriver(entry.device, top.device) && top.device), ...entry.device },
    }
    return [{ entry: merged, where }]
  })
}

/** The defaults are options of another driver. */
const isOtherDriver = (own: Json | undefined, defaults: Json | undefined): boolean =>
  own?.['driver'] !== undefined && own['driver'] !== defaults?.['driver']

interface Found {
  problems: string[]
  files: string[]
}

function accessPointOf(
  entry: AccessPointMembers,
  where: string,
  stateFolder: string,
  { problems, files }: Found,
): AccessPointSettings {
  if (entry.password !== undefined && entry.ap_id === undefined)
    problems.push('ap_id is missing. Write the one that the password belongs to.')
  const at = (name: string) => (where === '' ? name : `${where}.${name}`)
  const device = deviceOf(entry, at('device'), problems)
  const kind = driverKinds.get(device.driver)
  const resolved = kind?.resolve?.(device, at('device'))
  problems.push(...(resolved?.problems ?? []))
  files.push(...(resolved?.files ?? []))
  const technology = resolved?.technology ?? kind?.technology
  return {
    apId: entry.ap_id,
    password: entry.password,
    enrolmentToken: entry.enrolment_token,
    stateFolder,
    intervalS: entry.interval_s ?? 10,
    timeoutS: entry.timeout_s ?? 10,
    keepMib: entry.keep_mib ?? 16,
    configuration: { ...(technology !== undefined && { technology }), ...entry.configuration },
    commands: commandsOf(entry.commands, at('commands'), problems),
    device: { ...(resolved?.options ?? device), driver: device.driver },
  }
}

/** Without a driver, it is this machine. */
function deviceOf(
  { device, sources, plugins }: AccessPointMembers,
  where: string,
  problems: string[],
): AccessPointSettings['device'] {
  const given = isObject(device) ? device : {}
  const name = given['driver'] ?? 'linux'
  const kind = typeof name === 'string' ? driverKinds.get(name) : undefined
  if (!kind) {
    problems.push(`${where}.driver is invalid. Write one of: ${[...driverKinds.keys()].join(', ')}`)
    return { driver: '' }
  }
  const local =
    kind.name === 'linux'
      ? { ...(Array.isArray(sources) && { sources }), ...(Array.isArray(plugins) && { plugins }) }
      : {}
  const options = { ...local, ...given, driver: kind.name }
  const found = problemsOf(kind.schema, options, where)
  problems.push(...found)
  // What is wrong with the files that it names is of no use yet.
  return found.length > 0 ? { driver: '' } : options
}

function commandsOf(
  entries: AccessPointMembers['commands'],
  where: string,
  problems: string[],
): Record<string, AllowedCommand> {
  if (!isObject(entries)) return {}
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]): [string, AllowedCommand][] => {
      const at = `${where}.${name}`
      const found = problemsOf(commandSchema, entry, at)
      if (!/^[\w-]{1,64}$/.test(name) || name === 'report')
        found.push(`${at} is not a valid name. Write letters, digits, "_" and "-"; "report" is built in.`)
      const { run, arguments: patterns } = commandSchema.properties
      if (Check(run, (entry as Json)?.['run']) && !((entry as Json)['run'] as string[])[0]?.startsWith('/'))
        found.push(`${at}.run is invalid. Write ${whatToWrite(run)}`)
      const given = (entry as Json)?.['arguments']
      if (Array.isArray(given) && !given.every(isPattern))
        found.push(`${at}.arguments is invalid. Write ${whatToWrite(patterns)}`)
      problems.push(...found)
      if (found.length > 0) return []
      const { run: line, arguments: more = [], timeout_s: timeoutS = 30 } = entry as CommandMembers
      return [[name, { run: line, arguments: more, timeoutS }]]
    }),
  )
}

interface CommandMembers {
  run: string[]
  arguments?: string[]
  timeout_s?: number
}

/** Access points that cannot exist beside each other. */
function conflictsOf(accessPoints: readonly AccessPointSettings[]): string[] {
  const problems: string[] = []
  const seen = new Map<string, number>()
  let machine: number | undefined
  for (const [n, { apId, device }] of accessPoints.entries()) {
    const before = apId === undefined ? undefined : seen.get(apId)
    if (before !== undefined)
      problems.push(
        `access_points[${n}].ap_id is the same as that of access_points[${before}]. Write another, or remove one of them.`,
      )
    else if (apId !== undefined) seen.set(apId, n)
    if (device.driver !== 'linux') continue
    if (machine !== undefined)
      problems.push(
        `access_points[${n}].device.driver is linux, as in access_points[${machine}]. Only one access point can be this machine: write another driver.`,
      )
    machine ??= n
  }
  return problems
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback)

function isPattern(value: unknown): boolean {
  try {
    void new RegExp(`^(?:${String(value)})$`)
    return true
  } catch {
    return false
  }
}
