export type { HourlyLimit } from './hourly-limit.service.ts'
export { createThrottleModule, type ThrottleModule } from './throttle.module.ts'
export { accountOf, type LoginThrottle } from './throttle.service.ts'
