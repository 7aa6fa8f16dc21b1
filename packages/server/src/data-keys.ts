import type { Actor } from './actor.ts'

/** Rows that depend on one data key. */
export interface KeyCount {
  /** Undefined for a key that is not in the settings or cannot be determined. */
  keyId: string | undefined
  rows: number
  /** When these rows expire, if they do. */
  until?: Date | undefined
}

/** Stored data that depends on the data key. A module has one for each kind of its data. */
export interface DataKeyUse {
  readonly name: string
  countByKey(): Promise<KeyCount[]>
  /** Re-encrypts all rows with the current key, and yields the number of rows of each batch. Absent for rows that expire. */
  reencrypt?(by: Actor): AsyncIterable<number>
}
