import {
  closeSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { BufferedSample, Journal } from './sample-buffer.ts'

const maxSegmentBytes = 262_144
const minSegmentBytes = 4096
const syncIntervalMs = 1000

interface Segment {
  file: string
  /** The highest sequence number in it. */
  last: number
}

/**
 * Append-only segment files: `+<seq> <sample>` adds a sample, `-<seq>` acknowledges all up to it. A segment is deleted when
 * no sample in it waits. Each line is written at once, so that it survives the process; fsync runs once a second, so that
 * a power failure costs no more than that. A sample that is sent twice because its `-` line was lost is stored once.
 */
export class DiskJournal implements Journal {
  isHealthy = true
  lastSeq = 0
  #recovered: BufferedSample[] = []
  readonly #folder: string
  readonly #segmentBytes: number
  readonly #onError: (error: unknown) => void
  /** Oldest first; the last one may be open. */
  readonly #segments: Segment[] = []
  #open: { fd: number; bytes: number; segment: Segment } | undefined
  #nextNumber = 1
  /** The last line may be incomplete. */
  #isTorn = false
  #syncing: NodeJS.Timeout | undefined

  /** Throws when the folder cannot be used. Later errors are reported, and samples are then kept in memory only. */
  constructor(folder: string, maxBytes: number, onError: (error: unknown) => void) {
    this.#folder = folder
    // Segments are deleted as a whole: an eighth of the limit, so that it is exceeded by little.
    this.#segmentBytes = Math.min(maxSegmentBytes, Math.max(minSegmentBytes, maxBytes / 8))
    this.#onError = onError
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const names = readdirSync(folder).filter((name) => /^\d{10}\.samples$/.test(name))
    for (const name of names.sort()) this.#recover(name)
  }

  takeRecovered(): BufferedSample[] {
    const recovered = this.#recovered
    this.#recovered = []
    return recovered
  }

  add({ seq, text }: BufferedSample): void {
    this.#attempt(() => {
      const segment = this.#append(`+${seq} ${text}\n`)
      segment.last = seq
    })
  }

  acknowledged(upTo: number, isEmpty: boolean): void {
    this.#attempt(() => {
      if (isEmpty && this.#open) {
        ftruncateSync(this.#open.fd, 0)
        this.#open.bytes = 0
        this.#isTorn = false
      }
      this.#removeUpTo(upTo)
      if (!isEmpty) this.#append(`-${upTo}\n`)
    })
  }

  dropped(upTo: number): void {
    this.#attempt(() => this.#removeUpTo(upTo))
  }

  close(): void {
    clearTimeout(this.#syncing)
    this.#syncing = undefined
    const open = this.#open
    this.#open = undefined
    if (!open) return
    this.#attempt(() => {
      fsyncSync(open.fd)
      closeSync(open.fd)
      if (open.bytes === 0) rmSync(open.segment.file, { force: true })
    })
  }

  #recover(name: string): void {
    const file = path.join(this.#folder, name)
    const segment = { file, last: 0 }
    let upTo = 0
    // Text after the last line break is an incomplete line.
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const [, sign, digits, text = ''] = /^([+-])(\d+)(?: (.*))?$/.exec(line) ?? []
      const seq = Number(digits)
      if (sign === '-') upTo = Math.max(upTo, seq)
      else if (sign === '+' && isJson(text)) {
        this.#recovered.push({ seq, text })
        segment.last = seq
      }
    }
    const kept = this.#recovered.findIndex(({ seq }) => seq > upTo)
    this.#recovered.splice(0, kept === -1 ? this.#recovered.length : kept)
    this.lastSeq = Math.max(this.lastSeq, segment.last, upTo)
    this.#nextNumber = Number.parseInt(name, 10) + 1
    this.#segments.push(segment)
    const oldest = this.#recovered[0]?.seq
    this.#removeUpTo(oldest === undefined ? this.lastSeq : oldest - 1)
  }

  #append(line: string): Segment {
    if (this.#open && this.#open.bytes >= this.#segmentBytes) this.#finish(this.#open)
    this.#open ??= this.#begin()
    const { fd, segment } = this.#open
    const text = this.#isTorn ? `\n${line}` : line
    this.#isTorn = true
    writeFileSync(fd, text)
    this.#isTorn = false
    this.#open.bytes += Buffer.byteLength(text)
    this.#syncing ??= setTimeout(() => this.#sync(), syncIntervalMs)
    return segment
  }

  /** Never an existing one: an incomplete line stays the last of its file. */
  #begin() {
    const name = `${String(this.#nextNumber).padStart(10, '0')}.samples`
    this.#nextNumber += 1
    const segment = { file: path.join(this.#folder, name), last: 0 }
    const fd = openSync(segment.file, 'ax', 0o600)
    this.#segments.push(segment)
    this.#isTorn = false
    const folder = openSync(this.#folder, 'r')
    fsyncSync(folder)
    closeSync(folder)
    return { fd, bytes: 0, segment }
  }

  #finish({ fd }: { fd: number }): void {
    this.#open = undefined
    fsync(fd, (error) => {
      if (error) this.#onError(error)
      closeSync(fd)
    })
  }

  #sync(): void {
    this.#syncing = undefined
    // Everything was delivered meanwhile.
    if (!this.#open || this.#open.bytes === 0) return
    fsync(this.#open.fd, (error) => {
      // Closed meanwhile, after an fsync.
      if (error && error.code !== 'EBADF') this.#onError(error)
    })
  }

  /** Except the open segment, which is truncated when no sample waits. */
  #removeUpTo(seq: number): void {
    for (let [first] = this.#segments; first && first.last <= seq; [first] = this.#segments) {
      if (first === this.#open?.segment) return
      rmSync(first.file, { force: true })
      this.#segments.shift()
    }
  }

  #attempt(work: () => void): void {
    try {
      work()
      this.isHealthy = true
    } catch (error) {
      this.isHealthy = false
      this.#onError(error)
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
