export { createThrottleModule, type ThrottleModule } from './throttle.module.ts'
export { accountOf, type LoginThrottle } from './throttle.service.ts'
export type { WindowLimit } from './window-limit.service.ts'
