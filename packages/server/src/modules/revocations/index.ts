export { createRevocationsModule, type RevocationsModule } from './revocations.module.ts'
export type { Revocations } from './revocations.service.ts'
