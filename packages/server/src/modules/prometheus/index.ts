export { createPrometheusModule } from './prometheus.module.ts'
