/** Items as they arrive: iterate over them, and `break` to stop. */
export type Stream<Item> = AsyncGenerator<Item, void, undefined>
