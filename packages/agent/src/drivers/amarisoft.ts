import Type, { type Static } from 'typebox'
import { addressProblems } from '../settings/problems.ts'
import { type Driver, driverKind, type Reading, type Readings } from './driver.ts'
import { shown } from './http.ts'
import { type Json, objectOf } from './json.ts'
import { JsonSocket } from './json-socket.ts'

const schema = Type.Object(
  {
    driver: Type.Literal('amarisoft'),
    socket: Type.String({
      pattern: '^wss?://[^\\s/]+',
      maxLength: 2000,
      description: 'the address of the remote API of the base station: "ws://192.0.2.22:9001"',
    }),
    cell: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'the id of the cell of this access point, if the base station has several: 1',
      }),
    ),
  },
  { additionalProperties: false },
)
type Options = Static<typeof schema>

/** A cell of a base station of Amarisoft, by its remote API. */
export const amarisoft = driverKind({
  name: 'amarisoft',
  schema,
  technology: '5G',
  describe: ({ socket, cell }) => `${shown(socket)}${cell === undefined ? '' : ` cell ${cell}`}`,
  resolve: (options, path) => ({
    options,
    files: [],
    problems: addressProblems(
      schema.properties.socket,
      options.socket,
      `${path}.socket`,
      'this driver sends none.',
    ),
  }),
  open: (options) => new AmarisoftDriver(options),
})

class AmarisoftDriver implements Driver {
  readonly commands = { set_gain: 'set_gain <dB>' }
  readonly #options: Options
  #socket: JsonSocket | undefined
  #needsPassword = false
  #requests = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** `stats` covers the time since the request before of the same connection. */
  async read(signal: AbortSignal): Promise<Reading> {
    const message = await this.#request({ message: 'stats' }, signal)
    const readings = statsReadings(message, this.#options.cell)
    if (!readings)
      throw new Error(
        `The base station has no cell ${this.#options.cell ?? ''}. Write the id of one of its cells.`,
      )
    return { readings }
  }

  async execute(name: string, [gain = '']: readonly string[], signal: AbortSignal): Promise<object> {
    if (!/^-?\d{1,3}$/.test(gain)) throw new Error(`Write ${name} <dB>, for example ${name} -10.`)
    await this.#request(
      { message: 'cell_gain', cell_id: this.#options.cell ?? 1, gain: Number(gain) },
      signal,
    )
    return { done: name, gain_db: Number(gain) }
  }

  close(): void {
    this.#socket?.close()
    this.#socket = undefined
  }

  async #request(message: Json, signal: AbortSignal): Promise<Json> {
    const socket = this.#connected()
    this.#requests += 1
    const id = this.#requests
    const answer = socket.next((each) => each['message_id'] === id, signal)
    // Also while the request is being sent.
    answer.catch(() => {})
    const result = await this.#answered(socket, { ...message, message_id: id }, answer)
    if (typeof result['error'] === 'string')
      throw new Error(`The base station refuses ${String(message['message'])}: ${result['error']}.`)
    return result
  }

  /** A connection can be dead without an error, after a loss of power for example: the next request makes another one. */
  async #answered(socket: JsonSocket, message: Json, answer: Promise<Json>): Promise<Json> {
    try {
      await socket.send(message)
      if (this.#needsPassword)
        throw new Error(
          'The base station requires a password, which this driver does not support. Remove com_password.',
        )
      return await answer
    } catch (error) {
      socket.close()
      if (this.#socket === socket) this.#socket = undefined
      throw error
    }
  }

  #connected(): JsonSocket {
    if (this.#socket && !this.#socket.hasFailed) return this.#socket
    this.#needsPassword = false
    this.#socket = new JsonSocket(this.#options.socket, (message) => {
      if (message['message'] === 'authenticate') this.#needsPassword = true
    })
    return this.#socket
  }
}

/** Of one cell, or of all of them; undefined if there is no such cell. Usage is a part of 1. */
function statsReadings(message: Json, cell: number | undefined): Readings | undefined {
  const all = Object.entries(objectOf(message['cells']))
  const cells = all
    .filter(([id]) => cell === undefined || id === String(cell))
    .map(([, values]) => objectOf(values))
  if (cells.length === 0) return undefined
  const values = (name: string) =>
    cells.map((each) => each[name]).filter((value): value is number => Number.isFinite(value))
  const sum = (name: string) => values(name).reduce((total, value) => total + value, 0)
  const mean = (name: string) => (values(name).length === 0 ? undefined : sum(name) / values(name).length)
  const down = sum('dl_bitrate') / 1e6
  const up = sum('ul_bitrate') / 1e6
  const cpu = objectOf(message['cpu'])['global']
  const percent = (value: number | undefined) => (value === undefined ? undefined : rounded(value * 100))
  const readings: Record<string, number | undefined> = {
    clients: Math.round(sum('ue_count_avg')),
    load_pct: percent(mean('dl_use_avg')),
    ul_load_pct: percent(mean('ul_use_avg')),
    throughput_mbps: rounded(down + up),
    throughput_down_mbps: rounded(down),
    throughput_up_mbps: rounded(up),
    dl_retransmissions: values('dl_retx').length > 0 ? sum('dl_retx') : undefined,
    ul_retransmissions: values('ul_retx').length > 0 ? sum('ul_retx') : undefined,
    cpu_load_pct: typeof cpu === 'number' ? rounded(cpu) : undefined,
  }
  return Object.fromEntries(
    Object.entries(readings).filter((entry): entry is [string, number] => entry[1] !== undefined),
  )
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
