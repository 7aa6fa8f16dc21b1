export type { ClientNames } from './client-names.service.ts'
export type { ClientReportService, ClientsMessage } from './client-reports.service.ts'
export { type ClientsModule, createClientsModule } from './clients.module.ts'
