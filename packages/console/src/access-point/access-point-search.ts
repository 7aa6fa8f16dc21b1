/** The first one is not in the address. */
const tabs = ['charts', 'clients', 'events', 'configuration', 'rejected'] as const

export interface AccessPointSearch {
  tab?: (typeof tabs)[number]
  /** Names of the charts to show, separated by commas. */
  metrics?: string
  /** Of the configuration, compared with the current one. */
  version?: number
}

const maxMetrics = 64

/** Invalid parameters are ignored. */
export function parseAccessPointSearch({
  tab,
  metrics,
  version,
}: Record<string, unknown>): AccessPointSearch {
  const found = tabs.slice(1).find((each) => each === tab)
  return {
    ...(found && { tab: found }),
    ...(typeof metrics === 'string' && { metrics: namesIn(metrics).join(',') }),
    ...(found === 'configuration' && isVersion(version) && { version }),
  }
}

export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .filter((name) => name !== '')
    .slice(0, maxMetrics)

const isVersion = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0
