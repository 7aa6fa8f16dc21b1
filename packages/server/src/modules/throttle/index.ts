export { createThrottleModule, type ThrottleModule } from './throttle.module.ts'
export { accountOf, type LoginThrottle } from './throttle.service.ts'
