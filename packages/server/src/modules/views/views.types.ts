import type { SortOrder, TableColumn, TableSort, View } from '@manc/contract'

export interface NewView {
  id: string
  /** Id of the user. */
  owner: string
  name: string
  isShared: boolean
  columns: readonly TableColumn[]
  sort: TableSort
  order: SortOrder
  filters: View['filters']
}

export interface ViewRow extends NewView {
  createdBy: string
  updatedAt: Date
}
