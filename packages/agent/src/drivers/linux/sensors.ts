import type { AttachedClient } from '@manc/sdk/agent'
import type { Log } from '../../log.ts'
import { InvalidSettings } from '../../settings/invalid-settings.ts'
import type { Readings, Source } from './source.ts'

const readTimeoutMs = 10_000

/** The available sources, read in parallel. */
export class Sensors {
  readonly #sources: readonly Source[]
  readonly #log: Log
  /** Sources whose last reading failed. */
  readonly #failing = new Set<string>()

  private constructor(sources: readonly Source[], log: Log) {
    this.#sources = sources
    this.#log = log
  }

  /** Logs which sources are available. `selected` limits the sources to these names. */
  static async probe(
    all: readonly Source[],
    selected: readonly string[] | undefined,
    log: Log,
  ): Promise<Sensors> {
    const names = all.map(({ name }) => name)
    const unknown = selected?.filter((name) => !names.includes(name)) ?? []
    if (unknown.length > 0)
      throw new InvalidSettings(
        `sources: unknown source ${unknown.join(', ')}. Available: ${names.join(', ')}`,
      )
    const available: Source[] = []
    for (const source of all.filter(({ name }) => selected?.includes(name) ?? true)) {
      const isAvailable = await withTimeout(source.probe()).catch(() => false)
      if (isAvailable) available.push(source)
      log('info', isAvailable ? 'source available' : 'source not available', { source: source.name })
    }
    if (available.length === 0)
      throw new InvalidSettings('No source is available on this machine. Add one with plugins.')
    return new Sensors(available, log)
  }

  async read(): Promise<Readings> {
    const all = await Promise.all(this.#sources.map((source) => this.#readOne(source)))
    return Object.assign({}, ...all) as Readings
  }

  /** The clients at the last reading; undefined if no source reports any, or one that does could not be read. */
  get clients(): AttachedClient[] | undefined {
    const reporting = this.#sources.filter((source) => 'clients' in source)
    if (reporting.some(({ name }) => this.#failing.has(name))) return undefined
    const lists = reporting.flatMap((source) => {
      const list = source.clients?.()
      return list ? [list] : []
    })
    return lists.length === 0 ? undefined : lists.flat()
  }

  async #readOne(source: Source): Promise<Readings> {
    const { name } = source
    try {
      const readings = await withTimeout(source.read())
      if (this.#failing.delete(name)) this.#log('info', 'source readable again', { source: name })
      return readings
    } catch (error) {
      if (!this.#failing.has(name))
        this.#log('warn', 'source cannot be read and is left out', {
          source: name,
          reason: error instanceof Error ? error.message : String(error),
        })
      this.#failing.add(name)
      return {}
    }
  }
}

/** A source that hangs must not delay the others. */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new Error(`no answer within ${readTimeoutMs / 1000} s. Check it, or leave it out of sources.`),
        ),
      readTimeoutMs,
    )
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
