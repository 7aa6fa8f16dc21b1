export { type AlarmsModule, createAlarmsModule } from './alarms.module.ts'
