export { createPrometheusModule, type PrometheusModule } from './prometheus.module.ts'
export type { QuerySlots } from './query-slots.service.ts'
