import { readFileSync } from 'node:fs'
import { apIdPattern } from '@manc/contract'
import type { TlsFiles } from '@manc/sdk/tls'

/** A command of the allow-list. It runs without a shell. */
export interface AllowedCommand {
  /** The program and its fixed arguments. */
  run: string[]
  /** A pattern for each further argument, which has to match as a whole. */
  arguments: string[]
  timeoutS: number
}

export interface Settings {
  url: string
  mqttUrl: string | undefined
  /** PEM files. */
  tlsFiles: TlsFiles
  /** If undefined, derived from the MAC address of the first network card. */
  apId: string | undefined
  password: string | undefined
  enrolmentToken: string | undefined
  stateFolder: string
  intervalS: number
  keepMib: number
  configuration: Record<string, unknown>
  /** If undefined, all that are available. */
  sources: string[] | undefined
  plugins: string[]
  commands: Record<string, AllowedCommand>
}

export const defaultFile = '/etc/manc-agent.json'

/** The settings are invalid. Each line names a member and says what to write. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings'
}

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
  return checkSettings(value)
}

type Json = Record<string, unknown>

export function checkSettings(value: unknown): Settings {
  if (!isObject(value))
    throw new InvalidSettings('The settings must be one JSON object: {"url": "https://…"}')
  const members = new Members(value)
  const settings: Settings = {
    url:
      members.take(
        'url',
        isUrl('http:', 'https:'),
        'the address of the controller: "https://manc.example.org"',
      ) ?? '',
    mqttUrl: members.take(
      'mqtt_url',
      isUrl('mqtt:', 'mqtts:', 'ws:', 'wss:'),
      'the address of the broker: "mqtts://manc.example.org:8883"',
    ),
    tlsFiles: {
      ca: members.take('ca_file', isText(4096), 'the file of the CA to trust: "/etc/manc/ca.pem"'),
      cert: members.take(
        'cert_file',
        isText(4096),
        'the file of a client certificate: "/etc/manc/agent.pem"',
      ),
      key: members.take('client_key_file', isText(4096), 'the file of its key: "/etc/manc/agent-key.pem"'),
    },
    apId: members.take(
      'ap_id',
      isApId,
      'letters, digits, "_", ":" and "-", at most 64, for example "wifi-7"',
    ),
    password: members.take('password', isText(256), 'the password with which this agent was registered'),
    enrolmentToken: members.take('enrolment_token', isText(1000), 'the token of an administrator: "enrol_…"'),
    stateFolder:
      members.take('state_folder', isText(4096), 'a folder: "/var/lib/manc-agent"') ?? '/var/lib/manc-agent',
    intervalS:
      members.take('interval_s', isNumber(1, 86_400), 'seconds between samples, from 1 to 86400: 10') ?? 10,
    keepMib:
      members.take(
        'keep_mib',
        isNumber(1, 1024),
        'the limit for unsent samples in MiB, from 1 to 1024: 16',
      ) ?? 16,
    configuration:
      members.take(
        'configuration',
        isObject,
        'an object of attributes for the controller: {"technology": "WiFi", "geolocation": {"latitude": 51.45, "longitude": -2.59}}',
      ) ?? {},
    sources: members.take('sources', isTexts, 'a list of names; --check shows them: ["network", "cpu"]'),
    plugins:
      members.take('plugins', isTexts, 'a list of files and folders: ["/etc/manc-agent/plugins"]') ?? [],
    commands: commandsOf(members),
  }
  if (value['url'] === undefined)
    members.errors.push('url is missing. Write the address of the controller: "https://manc.example.org"')
  if (settings.password !== undefined && settings.apId === undefined)
    members.errors.push('ap_id is missing. Write the one that the password belongs to.')
  members.rejectUnknown()
  if (members.errors.length > 0) throw new InvalidSettings(members.errors.join('\n'))
  return settings
}

function commandsOf(members: Members): Record<string, AllowedCommand> {
  const entries = members.take('commands', isObject, '{"reboot": {"run": ["/sbin/reboot"]}}') ?? {}
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      const inner = new Members(isObject(entry) ? entry : {}, `commands.${name}.`)
      const allowed = {
        run:
          inner.take(
            'run',
            isCommandLine,
            'the absolute path of the program, and its arguments: ["/sbin/reboot"]',
          ) ?? [],
        arguments:
          inner.take('arguments', isPatterns, 'a pattern for each further argument: ["[0-9]{1,3}"]') ?? [],
        timeoutS: inner.take('timeout_s', isNumber(1, 3600), 'seconds from 1 to 3600: 30') ?? 30,
      }
      if (!/^[\w-]{1,64}$/.test(name) || name === 'report')
        inner.errors.push(
          `commands.${name} is not a valid name. Write letters, digits, "_" and "-"; "report" is built in.`,
        )
      if (!isObject(entry) || entry['run'] === undefined)
        inner.errors.push(
          `commands.${name}.run is missing. Write the absolute path of the program: ["/sbin/reboot"]`,
        )
      inner.rejectUnknown()
      members.errors.push(...inner.errors)
      return [name, allowed]
    }),
  )
}

/** Reads the members of an object one by one, and collects the errors. */
class Members {
  readonly errors: string[] = []
  readonly #values: Json
  readonly #prefix: string
  readonly #known: string[] = []

  constructor(values: Json, prefix = '') {
    this.#values = values
    this.#prefix = prefix
  }

  take<T>(name: string, isValid: (value: unknown) => value is T, expected: string): T | undefined {
    this.#known.push(name)
    const value = this.#values[name]
    if (value === undefined || isValid(value)) return value
    // The value is not shown: it may be a secret.
    this.errors.push(`${this.#prefix}${name} is invalid. Write ${expected}`)
    return undefined
  }

  rejectUnknown(): void {
    for (const name of Object.keys(this.#values))
      if (!this.#known.includes(name))
        this.errors.push(`${this.#prefix}${name} is unknown. Known members: ${this.#known.join(', ')}`)
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText =
  (maxLength: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= maxLength

const isNumber =
  (min: number, max: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= min && value <= max

const isUrl =
  (...protocols: string[]) =>
  (value: unknown): value is string =>
    typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol)

const isApId = (value: unknown): value is string =>
  typeof value === 'string' && new RegExp(apIdPattern).test(value)

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText(4096))

const isCommandLine = (value: unknown): value is string[] =>
  isTexts(value) && value[0]?.startsWith('/') === true

function isPatterns(value: unknown): value is string[] {
  if (!isTexts(value)) return false
  try {
    return value.map((pattern) => new RegExp(`^(?:${pattern})$`)).length <= 32
  } catch {
    return false
  }
}
