import { readFileSync } from 'node:fs'
import { apIdPattern } from '@manc/contract'

/** How a command of the allow-list is carried out: without a shell. */
export interface AllowedCommand {
  /** The program and its words. */
  run: string[]
  /** What each further word of the command has to look like, from its beginning to its end. */
  arguments: string[]
  timeoutS: number
}

export interface Settings {
  url: string
  mqttUrl: string | undefined
  /** Made from the address of the first network card where there is none. */
  apId: string | undefined
  password: string | undefined
  enrolmentToken: string | undefined
  stateFolder: string
  intervalS: number
  keepMib: number
  configuration: Record<string, unknown>
  /** All that are there, where there is none. */
  sources: string[] | undefined
  plugins: string[]
  commands: Record<string, AllowedCommand>
}

export const defaultFile = '/etc/manc-agent.json'

/** The settings cannot be used. Each line names a member and says what to write. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings'
}

export function readSettings(file: string): Settings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongSettings(
      `${file} cannot be read: ${(error as Error).message}. Write one, or name another: --settings FILE`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new WrongSettings(`${file} is no JSON: ${(error as Error).message}`)
  }
  return checkSettings(value)
}

type Json = Record<string, unknown>

export function checkSettings(value: unknown): Settings {
  if (!isObject(value)) throw new WrongSettings('The settings are one JSON object: {"url": "https://…"}')
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
    apId: members.take('ap_id', isApId, 'letters, digits, "_", ":" and "-", at most 64, as "wifi-7"'),
    password: members.take('password', isText(256), 'the password with which this agent was registered'),
    enrolmentToken: members.take('enrolment_token', isText(1000), 'the token of an administrator: "enrol_…"'),
    stateFolder:
      members.take('state_folder', isText(4096), 'a folder: "/var/lib/manc-agent"') ?? '/var/lib/manc-agent',
    intervalS:
      members.take('interval_s', isNumber(1, 86_400), 'seconds between samples, from 1 to 86400: 10') ?? 10,
    keepMib:
      members.take('keep_mib', isNumber(1, 1024), 'how much may wait, in MiB, from 1 to 1024: 16') ?? 16,
    configuration:
      members.take(
        'configuration',
        isObject,
        'what the controller shall know: {"technology": "WiFi", "geolocation": {"latitude": 51.45, "longitude": -2.59}}',
      ) ?? {},
    sources: members.take('sources', isTexts, 'a list of names; --check shows them: ["network", "cpu"]'),
    plugins:
      members.take('plugins', isTexts, 'a list of files and folders: ["/etc/manc-agent/plugins"]') ?? [],
    commands: commandsOf(members),
  }
  if (value['url'] === undefined)
    members.wrong.push('url is missing. Write the address of the controller: "https://manc.example.org"')
  if (settings.password !== undefined && settings.apId === undefined)
    members.wrong.push('ap_id is missing. Write the one that the password belongs to.')
  members.refuseOthers()
  if (members.wrong.length > 0) throw new WrongSettings(members.wrong.join('\n'))
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
            'the program with its whole path, and its words: ["/sbin/reboot"]',
          ) ?? [],
        arguments:
          inner.take('arguments', isPatterns, 'a pattern for each further word: ["[0-9]{1,3}"]') ?? [],
        timeoutS: inner.take('timeout_s', isNumber(1, 3600), 'seconds from 1 to 3600: 30') ?? 30,
      }
      if (!/^[\w-]{1,64}$/.test(name) || name === 'report')
        inner.wrong.push(
          `commands.${name} is no name for one. Write letters, digits, "_" and "-"; "report" is there already.`,
        )
      if (!isObject(entry) || entry['run'] === undefined)
        inner.wrong.push(
          `commands.${name}.run is missing. Write the program with its whole path: ["/sbin/reboot"]`,
        )
      inner.refuseOthers()
      members.wrong.push(...inner.wrong)
      return [name, allowed]
    }),
  )
}

/** Members of an object, taken one by one; what is wrong with them is gathered. */
class Members {
  readonly wrong: string[] = []
  readonly #values: Json
  readonly #prefix: string
  readonly #known: string[] = []

  constructor(values: Json, prefix = '') {
    this.#values = values
    this.#prefix = prefix
  }

  take<T>(name: string, isFit: (value: unknown) => value is T, write: string): T | undefined {
    this.#known.push(name)
    const value = this.#values[name]
    if (value === undefined || isFit(value)) return value
    // The value itself may be a secret.
    this.wrong.push(`${this.#prefix}${name} cannot be used. Write ${write}`)
    return undefined
  }

  refuseOthers(): void {
    for (const name of Object.keys(this.#values))
      if (!this.#known.includes(name))
        this.wrong.push(`${this.#prefix}${name} is not known. There are: ${this.#known.join(', ')}`)
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText =
  (most: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= most

const isNumber =
  (least: number, most: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= least && value <= most

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
