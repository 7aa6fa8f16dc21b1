import { Readable } from 'node:stream'

/** Sends a long list piece by piece: memory holds one piece, and a slow reader slows the reading of the next. */
export function jsonArray<Item>(
  pieces: AsyncIterable<readonly Item[]>,
  toJson: (item: Item) => string = JSON.stringify,
): Readable {
  return Readable.from(textOf(pieces, toJson), { objectMode: false })
}

async function* textOf<Item>(
  pieces: AsyncIterable<readonly Item[]>,
  toJson: (item: Item) => string,
): AsyncGenerator<string> {
  let separator = '['
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    yield separator + piece.map((item) => toJson(item)).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
