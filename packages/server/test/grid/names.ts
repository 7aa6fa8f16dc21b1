/** Callers with valid credentials. */
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
  'app in the sandbox',
  'app of these agents by a pattern',
  'app itself',
  'another app',
  'enrolment token',
  'setup token',
  'well-made token',
] as const

/** Callers without valid credentials. */
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

/** These send no bearer token, so the refusal differs from that of an invalid one. */
export const sendsNoBearer = (name: CallerName) => name === 'anonymous' || name === 'Basic instead of Bearer'
