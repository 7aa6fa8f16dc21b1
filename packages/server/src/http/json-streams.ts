import { Readable } from 'node:stream'

/** Streams a long list page by page: memory holds one page, and a slow reader slows down the reading of the next. */
export function jsonArray<Item>(
  pages: AsyncIterable<readonly Item[]>,
  toJson: (item: Item) => string = JSON.stringify,
): Readable {
  return Readable.from(textOf(pages, toJson), { objectMode: false })
}

async function* textOf<Item>(
  pages: AsyncIterable<readonly Item[]>,
  toJson: (item: Item) => string,
): AsyncGenerator<string> {
  let separator = '['
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + page.map((item) => toJson(item)).join(',')
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** The same for a list as JSON lines. */
export function jsonLines<Item>(pages: AsyncIterable<readonly Item[]>): Readable {
  return Readable.from(linesOf(pages), { objectMode: false })
}

async function* linesOf<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  for await (const page of pages)
    if (page.length > 0) yield page.map((item) => `${JSON.stringify(item)}\n`).join('')
}
