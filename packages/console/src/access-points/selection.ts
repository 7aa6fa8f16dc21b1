/** Selected access points: some, or all that match the filters except for some. */
export interface Selection {
  isAll: boolean
  /** The selected ones, or those that are not. */
  ids: ReadonlySet<string>
}

export const nothing: Selection = { isAll: false, ids: new Set() }
export const everything: Selection = { isAll: true, ids: new Set() }

export const isSelected = ({ isAll, ids }: Selection, apId: string): boolean => isAll !== ids.has(apId)

export function toggled({ isAll, ids }: Selection, apId: string): Selection {
  const next = new Set(ids)
  if (!next.delete(apId)) next.add(apId)
  return { isAll, ids: next }
}

/** With these, and without removing others. */
export function withSelected({ isAll, ids }: Selection, apIds: readonly string[]): Selection {
  const next = new Set(ids)
  for (const apId of apIds)
    if (isAll) next.delete(apId)
    else next.add(apId)
  return { isAll, ids: next }
}

export const sizeOf = ({ isAll, ids }: Selection, total: number): number =>
  isAll ? Math.max(0, total - ids.size) : ids.size
