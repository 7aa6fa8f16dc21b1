/** A sample as text. Numbers grow, so that "all up to this one" can be said. */
export interface Kept {
  seq: number
  text: string
}

/** Where what is kept outlives the process. */
export interface Journal {
  /** The last line that was to be written has been. */
  readonly isWell: boolean
  /** What is left from before, oldest first; told once. */
  takeFound(): Kept[]
  /** The highest number that was ever used here. */
  readonly lastSeq: number
  add(kept: Kept): void
  /** All up to this number were acknowledged. */
  acknowledged(upTo: number, isEmpty: boolean): void
  /** All up to this number had to go. */
  dropped(upTo: number): void
  close(): void
}

const encoder = new TextEncoder()
/** What a sample costs beside its text. */
const overhead = 16

/** The samples that wait for their acknowledgement, oldest first. Beyond its bound the oldest go. */
export class Keep {
  dropped = 0
  readonly #mostBytes: number
  readonly #journal: Journal | undefined
  #entries: (Kept & { bytes: number })[] = []
  /** Where the oldest stands; what is before it is gone. */
  #head = 0
  #bytes = 0
  #lastSeq = 0

  constructor(mostBytes: number, journal?: Journal) {
    this.#mostBytes = mostBytes
    this.#journal = journal
    for (const kept of journal?.takeFound() ?? []) this.#push(kept)
    this.#lastSeq = journal?.lastSeq ?? 0
  }

  get waiting(): number {
    return this.#entries.length - this.#head
  }

  get isOnDisk(): boolean {
    return this.#journal?.isWell ?? false
  }

  add(text: string): void {
    this.#lastSeq += 1
    const kept = { seq: this.#lastSeq, text }
    this.#journal?.add(kept)
    this.#push(kept)
  }

  /** The oldest: at least one, then as many as fit. They stay until they are acknowledged. */
  oldest(mostBytes: number, most: number): Kept[] {
    const batch: Kept[] = []
    let bytes = 0
    for (let at = this.#head; at < this.#entries.length && batch.length < most; at++) {
      const entry = this.#entries[at] as Kept & { bytes: number }
      bytes += entry.bytes
      if (batch.length > 0 && bytes > mostBytes) break
      batch.push(entry)
    }
    return batch
  }

  /** These are safe elsewhere. */
  acknowledged(batch: readonly Kept[]): void {
    const upTo = batch.at(-1)?.seq ?? 0
    const before = this.waiting
    this.#removeUpTo(upTo)
    // Some of them may have had to go while they were on their way: they have arrived after all.
    this.dropped -= batch.length - (before - this.waiting)
    this.#journal?.acknowledged(upTo, this.waiting === 0)
  }

  close(): void {
    this.#journal?.close()
  }

  #push(kept: Kept): void {
    const bytes = encoder.encode(kept.text).length + overhead
    this.#entries.push({ ...kept, bytes })
    this.#bytes += bytes
    if (this.#bytes <= this.#mostBytes) return
    let last = 0
    // The newest stays, however large it is.
    while (this.#bytes > this.#mostBytes && this.waiting > 1) {
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
    // In one go now and then: taking the first off a long list each time would cost its length each time.
    if (this.#head < 1000 && this.#head < this.#entries.length) return
    this.#entries = this.#entries.slice(this.#head)
    this.#head = 0
  }
}
