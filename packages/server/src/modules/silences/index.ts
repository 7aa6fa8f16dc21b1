export { silencedAlarmIds, silencedUntil } from './active-silences.store.ts'
export { createSilencesModule } from './silences.module.ts'
