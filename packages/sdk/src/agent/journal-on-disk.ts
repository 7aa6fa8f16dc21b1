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
import type { Journal, Kept } from './keep.ts'

const largestSegment = 262_144
const smallestSegment = 4096
const syncEveryMs = 1000

interface Segment {
  file: string
  /** The highest number in it. */
  last: number
}

/**
 * Files to which lines are appended: `+<seq> <sample>` for one that waits, `-<seq>` when all up to it were acknowledged. A
 * file goes when nothing in it waits. Each line is handed to the system at once, so that it outlives the process; the
 * disk is made to write once a second, so that a loss of power costs no more than that. What is sent twice for want of a
 * `-` line is stored once.
 */
export class JournalOnDisk implements Journal {
  isWell = true
  lastSeq = 0
  #found: Kept[] = []
  readonly #folder: string
  readonly #segmentBytes: number
  readonly #onTrouble: (error: unknown) => void
  /** Oldest first; the last may be the one that is open. */
  readonly #segments: Segment[] = []
  #open: { fd: number; bytes: number; segment: Segment } | undefined
  #nextNumber = 1
  /** The last line may be torn. */
  #isTorn = false
  #syncing: NodeJS.Timeout | undefined

  /** Throws where the folder cannot be used. Later troubles are told, and what is kept is then in memory alone. */
  constructor(folder: string, mostBytes: number, onTrouble: (error: unknown) => void) {
    this.#folder = folder
    // A file goes as a whole: an eighth, so that the bound holds with little beyond it.
    this.#segmentBytes = Math.min(largestSegment, Math.max(smallestSegment, mostBytes / 8))
    this.#onTrouble = onTrouble
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const names = readdirSync(folder).filter((name) => /^\d{10}\.samples$/.test(name))
    for (const name of names.sort()) this.#recover(name)
  }

  takeFound(): Kept[] {
    const found = this.#found
    this.#found = []
    return found
  }

  add({ seq, text }: Kept): void {
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
    // What comes after the last line's end was not written to the end.
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const [, sign, digits, text = ''] = /^([+-])(\d+)(?: (.*))?$/.exec(line) ?? []
      const seq = Number(digits)
      if (sign === '-') upTo = Math.max(upTo, seq)
      else if (sign === '+' && isJson(text)) {
        this.#found.push({ seq, text })
        segment.last = seq
      }
    }
    const gone = this.#found.findIndex(({ seq }) => seq > upTo)
    this.#found.splice(0, gone === -1 ? this.#found.length : gone)
    this.lastSeq = Math.max(this.lastSeq, segment.last, upTo)
    this.#nextNumber = Number.parseInt(name, 10) + 1
    this.#segments.push(segment)
    const oldest = this.#found[0]?.seq
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
    this.#syncing ??= setTimeout(() => this.#sync(), syncEveryMs)
    return segment
  }

  /** Never one from before: what was torn there stays the last of its file. */
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
      if (error) this.#onTrouble(error)
      closeSync(fd)
    })
  }

  #sync(): void {
    this.#syncing = undefined
    // What was delivered meanwhile need not be written at all.
    if (!this.#open || this.#open.bytes === 0) return
    fsync(this.#open.fd, (error) => {
      // Closed meanwhile, which writes as well.
      if (error && error.code !== 'EBADF') this.#onTrouble(error)
    })
  }

  /** The open one stays: it is emptied when nothing waits. */
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
      this.isWell = true
    } catch (error) {
      this.isWell = false
      this.#onTrouble(error)
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
