import { isKpi, type KpiName, kpiNames, kpis } from '@manc/contract/kpis'
import type { AgentMetrics, Technology } from '@manc/sdk'

/** KPIs that access points of every technology send, in display order. */
export const commonMetrics: readonly KpiName[] = [
  'clients',
  'throughput_mbps',
  'latency_ms',
  'packet_loss_pct',
  'load_pct',
  'signal_quality',
  'power_w',
]

/** The most relevant specific metrics of each technology. */
const defaultSpecificMetrics: Record<Technology, readonly string[]> = {
  '5G': ['sinr_db'],
  WiFi: ['rssi_dbm'],
  LiFi: ['illuminance_lux'],
  other: [],
}

export interface Metric {
  name: string
  /** Without the unit. */
  label: string
  unit: string
}

/** Splits `Throughput (Mbit/s)` into label and unit. */
export function metricOf({ name, label }: AgentMetrics['metrics'][number]): Metric {
  const [, text = label, unit = ''] = /^(.*) \(([^()]+)\)$/.exec(label) ?? []
  return { name, label: text, unit }
}

export const metricOfKpi = (name: KpiName): Metric => ({
  name,
  label: kpis[name].label,
  unit: kpis[name].unit,
})

/** KPIs in display order, and other metrics by label. */
export function grouped(metrics: readonly Metric[]): { common: Metric[]; specific: Metric[] } {
  const rank = ({ name }: Metric) => (isKpi(name) ? kpiNames.indexOf(name) : -1)
  return {
    common: metrics.filter((metric) => rank(metric) >= 0).toSorted((a, b) => rank(a) - rank(b)),
    specific: metrics.filter((metric) => rank(metric) < 0).toSorted((a, b) => (a.label < b.label ? -1 : 1)),
  }
}

const storageKey = (technology: Technology) => `manc.metrics.${technology}`

/** The last selection for this technology, limited to metrics of this access point. */
export function storedSelection(technology: Technology, metrics: readonly Metric[]): string[] {
  const selection: readonly string[] = readSelection(technology) ?? [
    ...commonMetrics,
    ...defaultSpecificMetrics[technology],
  ]
  const { common, specific } = grouped(metrics)
  const names = [...common, ...specific].map(({ name }) => name)
  const matching = names.filter((name) => selection.includes(name))
  return matching.length > 0 ? matching : names.slice(0, 6)
}

export function storeSelection(technology: Technology, names: readonly string[]): void {
  localStorage.setItem(storageKey(technology), JSON.stringify(names))
}

function readSelection(technology: Technology): string[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(technology)) ?? 'null')
    return Array.isArray(stored) ? stored.map(String) : undefined
  } catch {
    // Invalid content is ignored.
    return undefined
  }
}
