/**
 * A long text that is put together from many small pieces and then held for a while. In bytes: as a string it would be
 * a tree of all its pieces, which the garbage collector copies about and walks through for as long as it is there.
 */
export class Text {
  #space = Buffer.allocUnsafeSlow(64 * 1024)
  #length = 0

  get bytes(): Uint8Array {
    return this.#space.subarray(0, this.#length)
  }

  /** Answers how many bytes it took. */
  add(piece: string): number {
    // No character takes more than three bytes a unit.
    const most = this.#length + piece.length * 3
    if (most > this.#space.length) this.#resize(Math.max(most, this.#space.length * 2))
    const written = this.#space.write(piece, this.#length)
    this.#length += written
    return written
  }

  /** Nothing more will come: gives back what was not used. */
  close(): void {
    this.#resize(this.#length)
  }

  #resize(bytes: number): void {
    const space = Buffer.allocUnsafeSlow(bytes)
    this.#space.copy(space, 0, 0, this.#length)
    this.#space = space
  }
}
