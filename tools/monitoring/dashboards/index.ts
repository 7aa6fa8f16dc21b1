import type { Dashboard } from '../grafana.ts'
import { api } from './api.ts'
import { jobs } from './jobs.ts'
import { overview } from './overview.ts'
import { telemetry } from './telemetry.ts'

export const dashboards: readonly Dashboard[] = [overview, api, telemetry, jobs]
