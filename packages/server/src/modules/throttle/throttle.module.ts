import type { Platform } from '../../module.ts'
import { LoginFailureStore } from './login-failures.store.ts'
import { LoginThrottle } from './throttle.service.ts'

export type ThrottleModule = ReturnType<typeof createThrottleModule>

export function createThrottleModule({ config, postgres, limits: reached }: Platform) {
  const throttle = new LoginThrottle({
    reached,
    store: new LoginFailureStore(postgres),
    limits: {
      freeFailures: config.MANC_LOGIN_FREE_FAILURES,
      freeFailuresPerAddress: config.MANC_LOGIN_FREE_FAILURES_PER_ADDRESS,
      windowS: config.MANC_LOGIN_WINDOW_SECONDS,
      maxWaitS: config.MANC_LOGIN_MAX_WAIT_SECONDS,
    },
  })
  return { throttle, sweep: () => throttle.sweep() }
}
