import type { AgentMetrics, Technology } from '@manc/sdk'

/** What every technology has, in the order in which people ask for it. */
export const commonMetrics: readonly string[] = [
  'clients',
  'throughput_mbps',
  'latency_ms',
  'packet_loss_pct',
  'load_pct',
  'signal_quality',
  'power_w',
]

/** What says most of a technology of its own. */
const telling: Record<Technology, readonly string[]> = {
  '5G': ['sinr_db'],
  WiFi: ['rssi_dbm'],
  LiFi: ['illuminance_lux'],
  other: [],
}

export interface Metric {
  name: string
  /** For people, without the unit. */
  label: string
  unit: string
}

/** `Throughput (Mbit/s)` is a label and its unit. */
export function metricOf({ name, label }: AgentMetrics['metrics'][number]): Metric {
  const [, words = label, unit = ''] = /^(.*) \(([^()]+)\)$/.exec(label) ?? []
  return { name, label: words, unit }
}

/** The common ones first, in their own order; then those of the technology, in the order of their labels. */
export function grouped(metrics: readonly Metric[]): { common: Metric[]; own: Metric[] } {
  const rank = ({ name }: Metric) => commonMetrics.indexOf(name)
  return {
    common: metrics.filter((metric) => rank(metric) >= 0).toSorted((a, b) => rank(a) - rank(b)),
    own: metrics.filter((metric) => rank(metric) < 0).toSorted((a, b) => (a.label < b.label ? -1 : 1)),
  }
}

const storageKey = (technology: Technology) => `manc.metrics.${technology}`

/** What was chosen for this technology before, as far as this access point has it. */
export function storedSelection(technology: Technology, metrics: readonly Metric[]): string[] {
  const remembered = readChosen(technology) ?? [...commonMetrics, ...telling[technology]]
  const { common, own } = grouped(metrics)
  const names = [...common, ...own].map(({ name }) => name)
  const matching = names.filter((name) => remembered.includes(name))
  return matching.length > 0 ? matching : names.slice(0, 6)
}

export function storeSelection(technology: Technology, names: readonly string[]): void {
  localStorage.setItem(storageKey(technology), JSON.stringify(names))
}

function readChosen(technology: Technology): string[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(technology)) ?? 'null')
    return Array.isArray(kept) ? kept.map(String) : undefined
  } catch {
    // Somebody else wrote there: as if nothing were.
    return undefined
  }
}
