import type { Platform } from '../../module.ts'
import { KnownLoginStore } from './known-logins.store.ts'
import { LoginFailureStore } from './login-failures.store.ts'
import { PasswordChanges } from './password-changes.service.ts'
import { LoginThrottle } from './throttle.service.ts'

export type ThrottleModule = ReturnType<typeof createThrottleModule>

export function createThrottleModule({ config, postgres, limits }: Platform) {
  const throttle = new LoginThrottle({
    reached: limits,
    failures: new LoginFailureStore(postgres),
    known: new KnownLoginStore(postgres),
    limits: {
      freeFailures: config.MANC_LOGIN_FREE_FAILURES,
      freeFailuresPerAccount: config.MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT,
      freeFailuresPerAddress: config.MANC_LOGIN_FREE_FAILURES_PER_ADDRESS,
      windowS: config.MANC_LOGIN_WINDOW_SECONDS,
      maxWaitS: config.MANC_LOGIN_MAX_WAIT_SECONDS,
    },
  })
  const passwordChanges = new PasswordChanges({ limits, perHour: config.MANC_PASSWORD_CHANGES_PER_HOUR })
  return { throttle, passwordChanges, sweep: () => throttle.sweep() }
}
