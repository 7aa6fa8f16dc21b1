/** Items as they come: iterate over them, and `break` to stop. */
export type Stream<Item> = AsyncGenerator<Item, void, undefined>
