export { createThrottleModule, type ThrottleModule } from './throttle.module.ts'
export { accountOf, type Throttle } from './throttle.ts'
