import type { KpiName } from './kpis.ts'

/** Current metrics of a row of the table. */
export const tableMetrics = [
  'clients',
  'load_pct',
  'throughput_mbps',
  'throughput_down_mbps',
  'throughput_up_mbps',
  'packet_loss_pct',
  'latency_ms',
  'signal_quality',
  'power_w',
] as const satisfies readonly KpiName[]
export type TableMetric = (typeof tableMetrics)[number]

/** What the table is sorted by. */
export const tableSorts = [
  'ap_id',
  'health',
  'name',
  'technology',
  'place',
  'state',
  'last_seen',
  'version',
  ...tableMetrics,
] as const
export type TableSort = (typeof tableSorts)[number]

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

/** Those that can be sorted are columns of the table; `reason` explains the health. */
export const tableColumns = [...tableSorts, 'reason'] as const
export type TableColumn = (typeof tableColumns)[number]
