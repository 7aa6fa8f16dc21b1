export type { ClientNames } from './client-names.service.ts'
export type { ClientReportService } from './client-reports.service.ts'
export { type ClientsModule, createClientsModule } from './clients.module.ts'
