export { accountOf, Throttle } from './throttle.ts'
