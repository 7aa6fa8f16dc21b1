import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface Place {
  latitude: number
  longitude: number
  /** ISO 3166-1, two letters. */
  country: string
}

/** A range of numbers: regions are numbered so that the divisions of a country follow it. */
interface Region {
  first: number
  last: number
  /** Its name alone is never that of a place elsewhere. */
  isOwn: boolean
}

/** The records of one name are adjacent, the most populous first. */
interface Records {
  first: number
  end: number
}

const file = path.join(import.meta.dirname, '../../../data/gazetteer.bin')
const magic = 'GAZ1'
const headerBytes = 16
const recordBytes = 10
const blockBytes = 8
const newline = 10

/**
 * Places of the world by name, offline. data/README.md describes the source and the file format. The bytes are searched
 * in place: an object for each place would take ten times the memory.
 */
export class Gazetteer {
  static #opened: Gazetteer | undefined
  readonly #bytes: Buffer
  readonly #blocksAt: number
  readonly #namesAt: number
  /** Two letters for each region. */
  readonly #countries: string
  /** A line for each name, with the regions that have it. */
  readonly #regions: string

  private constructor(bytes: Buffer) {
    if (bytes.toString('latin1', 0, magic.length) !== magic)
      throw new Error(`${file} is not a gazetteer. Build it with tools/gazetteer/build.ts.`)
    this.#bytes = bytes
    this.#blocksAt = headerBytes + bytes.readUInt32LE(4) * recordBytes
    const regionsAt = this.#blocksAt + bytes.readUInt32LE(8) * blockBytes
    this.#namesAt = regionsAt + bytes.readUInt32LE(12)
    const regions = bytes.toString('utf8', regionsAt, this.#namesAt)
    const end = regions.indexOf('\n')
    this.#countries = regions.slice(0, end)
    this.#regions = regions.slice(end)
  }

  /** Reads the file at the first call. */
  static open(): Gazetteer {
    Gazetteer.#opened ??= new Gazetteer(readFileSync(file))
    return Gazetteer.#opened
  }

  /** Whether this is the name or the code of a country or of a division of one. */
  isRegion(name: string): boolean {
    return this.#regionsOf(fold(name)).length > 0
  }

  /**
   * The most populous place of this name that lies in all of the regions. The name of a country is never a village in
   * another one: without a region, `Lebanon` is not found but `Singapore` is.
   */
  find(name: string, ...within: string[]): Place | undefined {
    const key = fold(name)
    const records = this.#search(Buffer.from(key))
    if (records === undefined) return undefined
    const own = within.length === 0 ? this.#regionsOf(key).filter(({ isOwn }) => isOwn) : []
    const regions = own.length > 0 ? [own] : within.map((region) => this.#regionsOf(fold(region)))
    for (let record = records.first; record < records.end; record++) {
      const at = headerBytes + record * recordBytes
      const region = this.#bytes.readUInt16LE(at + 8)
      if (regions.every((any) => any.some(({ first, last }) => first <= region && region <= last))) {
        return {
          latitude: this.#bytes.readInt32LE(at) / 1e5,
          longitude: this.#bytes.readInt32LE(at + 4) / 1e5,
          country: this.#countries.slice(region * 2, region * 2 + 2),
        }
      }
    }
    return undefined
  }

  /** Binary search for the block that can contain the name, then a linear one within it. */
  #search(key: Buffer): Records | undefined {
    let low = this.#blocksAt
    let high = low + this.#bytes.readUInt32LE(8) * blockBytes
    while (high - low > blockBytes) {
      const middle = low + Math.floor((high - low) / blockBytes / 2) * blockBytes
      const start = this.#namesAt + this.#bytes.readUInt32LE(middle)
      if (this.#compare(start, this.#bytes.indexOf(newline, start), key) <= 0) low = middle
      else high = middle
    }
    return this.#readBlock(
      this.#namesAt + this.#bytes.readUInt32LE(low),
      this.#bytes.readUInt32LE(low + 4),
      key,
    )
  }

  /** There is a line for each record; an empty one repeats the name before it. */
  #readBlock(at: number, record: number, key: Buffer): Records | undefined {
    let first: number | undefined
    while (at < this.#bytes.length) {
      const end = this.#bytes.indexOf(newline, at)
      if (end > at) {
        if (first !== undefined) break
        const order = this.#compare(at, end, key)
        if (order > 0) break
        if (order === 0) first = record
      }
      record++
      at = end + 1
    }
    return first === undefined ? undefined : { first, end: record }
  }

  #compare(start: number, end: number, key: Buffer): number {
    return this.#bytes.compare(key, 0, key.length, start, end)
  }

  /** The lines are few enough to be searched as one text. */
  #regionsOf(key: string): Region[] {
    const at = this.#regions.indexOf(`\n${key}\t`)
    if (at < 0) return []
    const [, ...runs] = this.#regions.slice(at + 1, this.#regions.indexOf('\n', at + 1)).split('\t')
    return runs.map((run) => {
      const [first, last, mark] = run.split(' ')
      return { first: Number(first), last: Number(last), isOwn: mark === '*' }
    })
  }
}

/** Letters that NFKD does not decompose. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ə: 'e',
  '&': ' and ',
}

/** Names are compared in this form: lower-case letters without accents and digits, single spaces. */
export function fold(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþıħə&]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[\p{M}'’‘ʻʼʾʿ`´]/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
