import type { Platform } from '../../module.ts'
import { KnownLoginStore } from './known-logins.store.ts'
import { LoginFailureStore } from './login-failures.store.ts'
import { LoginThrottle } from './throttle.service.ts'
import { WindowLimit } from './window-limit.service.ts'

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
  const passwordChanges = new WindowLimit({
    limits,
    setting: 'MANC_PASSWORD_CHANGES_PER_HOUR',
    max: config.MANC_PASSWORD_CHANGES_PER_HOUR,
    windowS: 3600,
    detail: 'Too many password changes. Try again in an hour.',
  })
  const confirmations = new WindowLimit({
    limits,
    setting: 'MANC_CONFIRMATIONS_PER_HOUR',
    max: config.MANC_CONFIRMATIONS_PER_HOUR,
    windowS: 3600,
    detail: 'Too many sign-ups from this address. Try again in an hour.',
  })
  const logins = new WindowLimit({
    limits,
    setting: 'MANC_LOGINS_PER_MINUTE',
    max: config.MANC_LOGINS_PER_MINUTE,
    windowS: 60,
    detail: 'Too many logins. Use the access token until it expires instead of a login for each request.',
  })
  const jobsOf = (setting: 'MANC_JOBS_PER_HOUR' | 'MANC_USER_JOBS_PER_HOUR') =>
    new WindowLimit({
      limits,
      setting,
      max: config[setting],
      windowS: 3600,
      detail: `You have requested ${config[setting]} jobs within an hour. Wait for the time in Retry-After, then request jobs less often.`,
    })
  const jobs = { ofUsers: jobsOf('MANC_USER_JOBS_PER_HOUR'), ofOthers: jobsOf('MANC_JOBS_PER_HOUR') }
  return { throttle, passwordChanges, confirmations, logins, jobs, sweep: () => throttle.sweep() }
}
