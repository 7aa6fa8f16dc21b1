/** Callers whose credentials are good. */
const known = [
  'user',
  'operator',
  'admin',
  'administrator',
  'user with a label for a role',
  'user itself',
  'another user',
  'agent itself',
  'another agent',
  'app with default permissions',
  'app with the permission denied',
  'app of other agents',
  'app of these agents by a pattern',
  'app itself',
  'another app',
  'enrolment token',
  'setup token',
  'well-made token',
] as const

/** Callers without credentials, or with some that are not good. */
const unknown = [
  'anonymous',
  'Basic instead of Bearer',
  'malformed token',
  'expired token',
  'token with alg=none',
  'token of another algorithm',
  'token with a wrong signature',
  'token for another audience',
  'token of another issuer',
  'token of another type',
  'revoked token',
  'token of a deleted account',
] as const

export type KnownCaller = (typeof known)[number]
export type CallerName = KnownCaller | (typeof unknown)[number]

export const callerNames: readonly CallerName[] = [...known, ...unknown]

export const isKnown = (name: CallerName): name is KnownCaller =>
  (known as readonly CallerName[]).includes(name)

/** They send no bearer at all, so there is nothing that could be invalid. */
export const sendsNoBearer = (name: CallerName) => name === 'anonymous' || name === 'Basic instead of Bearer'
