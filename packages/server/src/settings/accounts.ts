import Type from 'typebox'
import { limit, retryLater, seconds } from './kinds.ts'

/** Users, apps, logins and sessions. */
export const accountSettings = {
  MANC_BOOTSTRAP_ADMIN_USERNAME: Type.Optional(
    Type.String({ description: 'If there is no administrator, one with this username is created at start.' }),
  ),
  MANC_BOOTSTRAP_ADMIN_PASSWORD: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 256,
      writeOnly: true,
      description: 'Password of that administrator, at least 8 characters.',
    }),
  ),
  MANC_VIEWS_PER_USER: limit(
    100,
    { owner: 'user', response: '409' },
    'Maximum number of saved views of the table of access points of one user.',
  ),
  MANC_USER_TOKEN_SECONDS: seconds(1800, "Lifetime of a user's access token."),
  MANC_SESSION_SECONDS: seconds(
    43_200,
    "Maximum duration of a user's session. Until then its token can be renewed without the password.",
  ),
  MANC_AGENT_TOKEN_SECONDS: seconds(3600, "Lifetime of an agent's access token."),
  MANC_APP_TOKEN_SECONDS: seconds(3600, "Lifetime of a third-party app's access token."),
  MANC_APP_DEFAULT: Type.Enum(['interface', 'none'], {
    default: 'interface',
    description:
      'Scopes of an app whose permissions do not list its `scopes`. `interface`: those for the purposes that the interface describes (`agents:read`, `metrics:read`, `history:read`, `commands:send`, `emulator:spinup`). `none`: no scope. Use `none` in production, so that each right is granted explicitly.',
  }),
  MANC_RESET_TOKEN_SECONDS: seconds(600, 'Lifetime of a password-reset token.'),
  MANC_LOGIN_FREE_FAILURES: limit(
    10,
    { owner: 'account and address', response: retryLater },
    'Failed logins of one account from one address before the next attempt has to wait. At the broker, which sends no address: of one agent.',
  ),
  MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT: limit(
    25,
    { owner: 'account', response: retryLater },
    'Failed logins of one account from all addresses before the next attempt has to wait. Addresses from which the account has logged in recently are exempt.',
  ),
  MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: limit(
    100,
    { owner: 'address', response: retryLater },
    'Failed logins from one address before the next attempt has to wait.',
  ),
  MANC_LOGIN_WINDOW_SECONDS: seconds(900, 'Failed logins no longer count after this time without another.'),
  MANC_LOGIN_MAX_WAIT_SECONDS: seconds(
    900,
    'Maximum wait after failed logins; it starts at 1 s and doubles with each failure.',
  ),
  MANC_LOGINS_PER_MINUTE: limit(
    60,
    { owner: 'user, app or agent', response: retryLater },
    'Maximum number of logins of one account over HTTP, per replica. Logins that fail have other limits.',
  ),
  MANC_PASSWORD_HASHES_PER_OWNER: limit(
    100,
    { owner: 'address; at the broker the agent; for new passwords the caller', response: retryLater },
    'Maximum number of passwords of one owner that wait to be checked or hashed, per replica. Owners take turns.',
  ),
  MANC_PASSWORD_CHANGES_PER_HOUR: limit(
    20,
    { owner: 'user or agent', response: retryLater },
    "Maximum number of requests that change the caller's own password, per replica.",
  ),
  MANC_SIGNUP: Type.Enum(['open', 'confirmed', 'closed'], {
    default: 'open',
    description:
      '`open`: anyone may sign up and becomes a standard user. `confirmed`: also, but the account works only after the link in an e-mail was used; needs `MANC_SMTP_URL`. `closed`: only administrators create accounts; sign-up answers 403.',
  }),
  MANC_CONFIRMATION_SECONDS: seconds(
    3600,
    'How long a sign-up can be confirmed with `MANC_SIGNUP=confirmed`. After that it is removed.',
  ),
  MANC_CONFIRMATIONS_PER_HOUR: limit(
    60,
    { owner: 'address', response: retryLater },
    'Maximum number of sign-ups from one address with `MANC_SIGNUP=confirmed`, per replica. Each sends an e-mail.',
  ),
  MANC_CURRENT_PASSWORD: Type.Enum(['optional', 'required'], {
    default: 'optional',
    description:
      'Whether users who change their own password must send the password in use (`current_password`). The console and the CLI always send it.',
  }),
  MANC_SIGNUPS_PER_MINUTE: limit(
    60,
    { owner: 'address', response: retryLater },
    'Maximum number of signups from one address, per replica.',
  ),
  MANC_RECOVERIES_PER_MINUTE: limit(
    60,
    { owner: 'address', response: retryLater },
    'Maximum number of requests for password recovery from one address, per replica. Each is stored until it is processed.',
  ),
  MANC_RECOVERIES_PER_HOUR: limit(
    5,
    { owner: 'user', response: retryLater },
    'Maximum number of e-mails to one account that are requested without a login: for password recovery and to confirm a sign-up.',
  ),
}
