/** A sample as text. Sequence numbers increase, so that "all up to this one" can be acknowledged. */
export interface BufferedSample {
  seq: number
  text: string
}

/** Stores the samples of a buffer beyond the life of the process. */
export interface Journal {
  /** The last write succeeded. */
  readonly isHealthy: boolean
  /** The samples that an earlier process left, oldest first; empty after the first call. */
  takeRecovered(): BufferedSample[]
  /** The highest sequence number that was ever used here. */
  readonly lastSeq: number
  add(sample: BufferedSample): void
  /** All up to this number were acknowledged. */
  acknowledged(upTo: number, isEmpty: boolean): void
  /** All up to this number were dropped. */
  dropped(upTo: number): void
  close(): void
}

const encoder = new TextEncoder()
/** Memory of an entry beside its text. */
const overhead = 16

/** Samples that wait for an acknowledgement, oldest first. When it is full, the oldest are dropped. */
export class SampleBuffer {
  dropped = 0
  readonly #maxBytes: number
  readonly #journal: Journal | undefined
  #entries: (BufferedSample & { bytes: number })[] = []
  /** Index of the oldest; entries before it were removed. */
  #head = 0
  #bytes = 0
  #lastSeq = 0

  constructor(maxBytes: number, journal?: Journal) {
    this.#maxBytes = maxBytes
    this.#journal = journal
    for (const sample of journal?.takeRecovered() ?? []) this.#push(sample)
    this.#lastSeq = journal?.lastSeq ?? 0
  }

  get waiting(): number {
    return this.#entries.length - this.#head
  }

  get isOnDisk(): boolean {
    return this.#journal?.isHealthy ?? false
  }

  add(text: string): void {
    this.#lastSeq += 1
    const sample = { seq: this.#lastSeq, text }
    this.#journal?.add(sample)
    this.#push(sample)
  }

  /** The oldest samples: at least one, then as many as fit. They stay until they are acknowledged. */
  oldest(maxBytes: number, maxCount: number): BufferedSample[] {
    const batch: BufferedSample[] = []
    let bytes = 0
    for (let at = this.#head; at < this.#entries.length && batch.length < maxCount; at++) {
      const entry = this.#entries[at] as BufferedSample & { bytes: number }
      bytes += entry.bytes
      if (batch.length > 0 && bytes > maxBytes) break
      batch.push(entry)
    }
    return batch
  }

  /** The controller has stored these. */
  acknowledged(batch: readonly BufferedSample[]): void {
    const upTo = batch.at(-1)?.seq ?? 0
    const before = this.waiting
    this.#removeUpTo(upTo)
    // Some may have been dropped while they were being delivered: they are not lost after all.
    this.dropped -= batch.length - (before - this.waiting)
    this.#journal?.acknowledged(upTo, this.waiting === 0)
  }

  close(): void {
    this.#journal?.close()
  }

  #push(sample: BufferedSample): void {
    const bytes = encoder.encode(sample.text).length + overhead
    this.#entries.push({ ...sample, bytes })
    this.#bytes += bytes
    if (this.#bytes <= this.#maxBytes) return
    let last = 0
    // The newest is kept, however large it is.
    while (this.#bytes > this.#maxBytes && this.waiting > 1) {
      last = this.#entries[this.#head]?.seq ?? 0
      this.#removeUpTo(last)
      this.dropped += 1
    }
    this.#journal?.dropped(last)
  }

  #removeUpTo(seq: number): void {
    for (
      let entry = this.#entries[this.#head];
      entry && entry.seq <= seq;
      entry = this.#entries[this.#head]
    ) {
      this.#bytes -= entry.bytes
      this.#head += 1
    }
    // Compacted now and then: `shift` costs the length of the list each time.
    if (this.#head < 1000 && this.#head < this.#entries.length) return
    this.#entries = this.#entries.slice(this.#head)
    this.#head = 0
  }
}
