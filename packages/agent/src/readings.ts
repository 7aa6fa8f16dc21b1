import { WrongSettings } from './settings.ts'
import type { Readings, Source } from './source.ts'

type Tell = (level: 'info' | 'warn', words: string, more?: Record<string, unknown>) => void

const readWithinMs = 10_000

/** The sources that are there, read together. */
export class Sensors {
  readonly #sources: readonly Source[]
  readonly #tell: Tell
  /** Sources that failed the last time. */
  readonly #failing = new Set<string>()

  private constructor(sources: readonly Source[], tell: Tell) {
    this.#sources = sources
    this.#tell = tell
  }

  /** Tells once which are there and which are not. `wanted`: these alone. */
  static async find(
    all: readonly Source[],
    wanted: readonly string[] | undefined,
    tell: Tell,
  ): Promise<Sensors> {
    const names = all.map(({ name }) => name)
    const unknown = wanted?.filter((name) => !names.includes(name)) ?? []
    if (unknown.length > 0)
      throw new WrongSettings(`sources: there is no ${unknown.join(', ')}. There are: ${names.join(', ')}`)
    const there: Source[] = []
    for (const source of all.filter(({ name }) => wanted?.includes(name) ?? true)) {
      const isThere = await within(source.probe()).catch(() => false)
      if (isThere) there.push(source)
      tell('info', isThere ? 'a source is there' : 'a source is not there', { source: source.name })
    }
    if (there.length === 0)
      throw new WrongSettings('No source is there: nothing can be read on this machine.')
    return new Sensors(there, tell)
  }

  async read(): Promise<Readings> {
    const all = await Promise.all(this.#sources.map((source) => this.#readOne(source)))
    return Object.assign({}, ...all) as Readings
  }

  async #readOne(source: Source): Promise<Readings> {
    const { name } = source
    try {
      const readings = await within(source.read())
      if (this.#failing.delete(name)) this.#tell('info', 'a source can be read again', { source: name })
      return readings
    } catch (error) {
      if (!this.#failing.has(name))
        this.#tell('warn', 'a source cannot be read, and is left out', {
          source: name,
          reason: error instanceof Error ? error.message : String(error),
        })
      this.#failing.add(name)
      return {}
    }
  }
}

/** One that hangs must not hold up the others. */
async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${readWithinMs / 1000} s`)), readWithinMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
