/**
 * A long text that is assembled from many small ones and kept for seconds. As bytes outside of the JavaScript heap: a
 * string would be a tree of all its parts, which the garbage collector copies and traverses for as long as it exists.
 */
export class LinesBuffer {
  #buffer = Buffer.allocUnsafeSlow(64 * 1024)
  #length = 0

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Returns the number of bytes written. */
  append(text: string): number {
    // UTF-8 takes at most three bytes per UTF-16 code unit.
    const maxLength = this.#length + text.length * 3
    if (maxLength > this.#buffer.length) this.#resize(Math.max(maxLength, this.#buffer.length * 2))
    const written = this.#buffer.write(text, this.#length)
    this.#length += written
    return written
  }

  /** Releases the unused memory; nothing is appended afterwards. */
  trim(): void {
    this.#resize(this.#length)
  }

  #resize(bytes: number): void {
    const buffer = Buffer.allocUnsafeSlow(bytes)
    this.#buffer.copy(buffer, 0, 0, this.#length)
    this.#buffer = buffer
  }
}
