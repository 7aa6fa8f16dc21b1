import type { Manc } from '@manc/sdk'

export interface Filter {
  /** As in the query of the API. */
  name: string
  kind: 'text' | 'texts' | 'choice' | 'choices' | 'time' | 'number' | 'flag'
  description: string
  choices?: readonly string[]
}

/** `manc <resource> list`, as the contract describes it. */
export interface ListCommand {
  description: string
  /** The filter has the type of the SDK method, which differs from list to list. */
  read: (manc: Manc, filter: never) => AsyncIterable<object> | Promise<readonly object[]>
  /** Without it all items are listed. */
  defaultLimit?: number
  filters: readonly Filter[]
  /** Names of fields. */
  columns: readonly string[]
}
