/** A record as a list of the API has it. */
export interface Stored {
  id: string
  [member: string]: any
}

/** Records of one kind. */
export interface Kind {
  placeholders: readonly string[]
  /** Path and query of the list of stored records. */
  list: string
  /** Whether the record of a placeholder is as requests need it. */
  isUsable: (record: Stored, index: number) => boolean
  /** Creates the record of this placeholder, and returns its id. */
  create: (index: number) => Promise<string>
  /** Of records that generated requests have created: else they reach the limits of the product. */
  remove?: {
    method: 'DELETE' | 'POST'
    path: (id: string) => string
    applies: (record: Stored) => boolean
  }
}

export const deletedAt = (resource: string, applies: (record: Stored) => boolean = () => true) => ({
  method: 'DELETE' as const,
  path: (id: string) => `${resource}/${id}`,
  applies,
})
