import { Readable } from 'node:stream'

/** Sends a long list piece by piece: memory holds one piece, and a slow reader slows the reading of the next. */
export function jsonArray(pieces: AsyncIterable<readonly unknown[]>): Readable {
  return Readable.from(textOf(pieces), { objectMode: false })
}

async function* textOf(pieces: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    yield separator + piece.map((item) => JSON.stringify(item)).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
