/** The first one is not in the address. */
const tabs = ['live', 'history', 'events', 'configuration', 'rejected'] as const

export interface AccessPointSearch {
  tab?: (typeof tabs)[number]
}

/** Invalid parameters are ignored. */
export function parseAccessPointSearch({ tab }: Record<string, unknown>): AccessPointSearch {
  const found = tabs.slice(1).find((each) => each === tab)
  return found ? { tab: found } : {}
}
