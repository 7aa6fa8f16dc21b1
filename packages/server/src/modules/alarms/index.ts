export { type AlarmsModule, createAlarmsModule } from './alarms.module.ts'
export type { AlarmService } from './alarms.service.ts'
export type { AlarmChange, AlarmRow } from './alarms.types.ts'
