import Type, { type Static } from 'typebox'
import { addressProblems } from '../settings/problems.ts'
import { type Driver, driverKind, type Reading, type Readings } from './driver.ts'
import { shown } from './http.ts'
import { isObject, type Json, objectOf } from './json.ts'
import { JsonSocket } from './json-socket.ts'
import { combined } from './maps/metric-map.ts'

const schema = Type.Object(
  {
    driver: Type.Literal('srsran'),
    socket: Type.String({
      pattern: '^wss?://[^\\s/]+',
      maxLength: 2000,
      description: 'the address of the remote interface of the gNB: "ws://192.0.2.21:8001"',
    }),
    pci: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1007,
        description: 'the physical cell id of this access point, if the gNB has several cells: 1',
      }),
    ),
  },
  { additionalProperties: false },
)
type Options = Static<typeof schema>

/** A cell of a gNB of srsRAN Project, by its JSON metrics. */
export const srsran = driverKind({
  name: 'srsran',
  schema,
  technology: '5G',
  describe: ({ socket, pci }) => `${shown(socket)}${pci === undefined ? '' : ` pci ${pci}`}`,
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
  open: (options) => new SrsranDriver(options),
})

class SrsranDriver implements Driver {
  readonly commands = {}
  readonly #options: Options
  #socket: JsonSocket | undefined
  #newest: Json | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The gNB sends metrics by itself, usually once a second: the newest ones since the reading before. */
  async read(signal: AbortSignal): Promise<Reading> {
    const message = await this.#next(signal)
    const readings = cellReadings(message, this.#options.pci)
    if (!readings)
      throw new Error(
        `The gNB has no cell with pci ${this.#options.pci ?? ''}. Write the one of its configuration.`,
      )
    return { readings }
  }

  close(): void {
    this.#socket?.close()
    this.#socket = undefined
  }

  /** A connection can be dead without an error, after a loss of power for example: the next reading makes another one. */
  async #next(signal: AbortSignal): Promise<Json> {
    try {
      const socket = await this.#connected()
      const message = this.#newest ?? (await socket.next(hasCells, signal))
      this.#newest = undefined
      return message
    } catch (error) {
      this.close()
      throw error
    }
  }

  async #connected(): Promise<JsonSocket> {
    if (this.#socket && !this.#socket.hasFailed) return this.#socket
    this.#newest = undefined
    const socket = new JsonSocket(this.#options.socket, (message) => {
      if (hasCells(message)) this.#newest = message
    })
    this.#socket = socket
    await socket.send({ cmd: 'metrics_subscribe' })
    return socket
  }
}

const hasCells = (message: Json): boolean => Array.isArray(message['cells'])

/** Of one cell, or of all of them; undefined if there is no such cell. */
function cellReadings(message: Json, pci: number | undefined): Readings | undefined {
  const cells = (message['cells'] as unknown[]).map(cellOf)
  const chosen = cells.filter((cell) => pci === undefined || cell.pci === undefined || cell.pci === pci)
  if (chosen.length === 0) return undefined
  // Older versions have the UEs of all cells in one list.
  const ues = chosen
    .flatMap(({ ues: all }) => all)
    .filter((ue) => pci === undefined || (ue['pci'] ?? pci) === pci)
  const values = (name: string) =>
    ues.map((ue) => ue[name]).filter((value): value is number => Number.isFinite(value))
  const sum = (name: string) => combined(values(name), 'sum') ?? 0
  const down = sum('dl_brate') / 1e6
  const up = sum('ul_brate') / 1e6
  return withoutUnknown({
    clients: ues.length,
    throughput_mbps: rounded(down + up),
    throughput_down_mbps: rounded(down),
    throughput_up_mbps: rounded(up),
    cqi: mean(values('cqi')),
    pusch_snr_db: mean(values('pusch_snr_db')),
    dl_mcs: mean(values('dl_mcs')),
    ul_mcs: mean(values('ul_mcs')),
    dl_bler_pct: failedPct(sum('dl_nof_nok'), sum('dl_nof_ok')),
    ul_bler_pct: failedPct(sum('ul_nof_nok'), sum('ul_nof_ok')),
  })
}

function cellOf(value: unknown): { pci: number | undefined; ues: Json[] } {
  const cell = objectOf(value)
  const metrics = objectOf(cell['cell_metrics'])
  const list = Array.isArray(cell['ue_list']) ? (cell['ue_list'] as unknown[]).filter(isObject) : []
  return {
    pci: typeof metrics['pci'] === 'number' ? metrics['pci'] : undefined,
    // Older versions wrap each UE.
    ues: list.map((ue) => objectOf(ue['ue_container'] ?? ue)),
  }
}

function failedPct(failed: number, good: number): number | undefined {
  return failed + good === 0 ? undefined : rounded((failed / (failed + good)) * 100)
}

function mean(values: readonly number[]): number | undefined {
  const value = combined(values, 'mean')
  return value === undefined ? undefined : rounded(value)
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

const withoutUnknown = (readings: Record<string, number | undefined>): Readings =>
  Object.fromEntries(
    Object.entries(readings).filter((entry): entry is [string, number] => entry[1] !== undefined),
  )
