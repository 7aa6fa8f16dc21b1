export async function all<Item>(items: AsyncIterable<Item> | readonly Item[]): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

export async function* first<Item>(
  items: AsyncIterable<Item> | readonly Item[],
  max: number,
): AsyncGenerator<Item> {
  let taken = 0
  for await (const item of items) {
    yield item
    if (++taken >= max) return
  }
}
