export { Revocations } from './revocations.ts'
