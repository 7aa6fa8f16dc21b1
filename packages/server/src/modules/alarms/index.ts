export { type AlarmsModule, createAlarmsModule } from './alarms.module.ts'
export type { AlarmService } from './alarms.service.ts'
export type { AlarmRow } from './alarms.types.ts'
