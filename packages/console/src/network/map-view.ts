import { type Area, areaHash, parseAreaHash } from '../fleet/area.ts'

const storageKey = 'manc.map-view'

/** The last view of the map in this tab, restored on return to its entry in the history, and after a reload. */
export function storedView(historyKey: string | undefined): Area | undefined {
  const [key, area = ''] = (sessionStorage.getItem(storageKey) ?? '').split(' ')
  return historyKey !== undefined && key === historyKey ? parseAreaHash(area) : undefined
}

export function storeView(historyKey: string | undefined, area: Area): void {
  sessionStorage.setItem(storageKey, `${historyKey} ${areaHash(area)}`)
}
