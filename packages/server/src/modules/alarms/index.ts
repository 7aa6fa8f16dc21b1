export { createAlarmsModule } from './alarms.module.ts'
