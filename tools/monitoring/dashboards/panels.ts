import { telemetryLag } from '../expressions.ts'
import type { Panel } from '../grafana.ts'

/** A panel with one expression. */
export const one = (panel: Omit<Panel, 'series'> & { expr: string; legend: string }): Panel => {
  const { expr, legend, ...rest } = panel
  return { ...rest, series: [{ expr, legend }] }
}

/** Panels of more than one dashboard. */
export const requestRate = one({
  title: 'Requests',
  description: 'Requests per second, by status.',
  unit: 'reqps',
  expr: 'sum by (status) (rate(manc_http_request_duration_seconds_count[5m]))',
  legend: '{{status}}',
})
export const samples = one({
  title: 'Samples',
  description: 'Samples per second that were accepted for writing, by ingester.',
  unit: 'cps',
  expr: 'rate(manc_ingest_samples_total[5m])',
  legend: '{{instance}}',
})
export const lagPanel: Panel = {
  title: 'Lag of telemetry',
  description:
    'From the arrival of a message until it was written. A growing lag means that ingesters or VictoriaMetrics are too slow; nothing is lost.',
  unit: 's',
  series: [
    { expr: telemetryLag(0.5), legend: 'median' },
    { expr: telemetryLag(0.99), legend: 'p99' },
  ],
}
