import type { EventPosition } from '@manc/contract'

/** In the order of the stream: by transaction, then by number. */
export const isLater = (one: EventPosition, other: EventPosition): boolean =>
  one.transaction === other.transaction ? one.seq > other.seq : one.transaction > other.transaction
