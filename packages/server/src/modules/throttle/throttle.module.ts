import type { Platform } from '../../module.ts'
import { HourlyLimit } from './hourly-limit.service.ts'
import { KnownLoginStore } from './known-logins.store.ts'
import { LoginFailureStore } from './login-failures.store.ts'
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
  // Each change costs up to two hashes.
  const passwordChanges = new HourlyLimit({
    limits,
    setting: 'MANC_PASSWORD_CHANGES_PER_HOUR',
    perHour: config.MANC_PASSWORD_CHANGES_PER_HOUR,
    tooMany: 'Too many password changes.',
  })
  const confirmations = new HourlyLimit({
    limits,
    setting: 'MANC_CONFIRMATIONS_PER_HOUR',
    perHour: config.MANC_CONFIRMATIONS_PER_HOUR,
    tooMany: 'Too many sign-ups from this address.',
  })
  return { throttle, passwordChanges, confirmations, sweep: () => throttle.sweep() }
}
