import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, oneOf, perform, repeat } from './caller.ts'

const password = 'a-password-of-the-suite'
const users = 5

/** A token that was revoked, and a path that it had access to. */
interface Revoked {
  subject: string
  token: string
  path: string
}

/** After the acknowledgement of a revocation, the token is used at these times. */
const probesAfterMs = [300, 1050, 2000, 4000]

/** Logins of the same users, again and again. */
export async function logIns(context: Context): Promise<void> {
  const names: string[] = []
  // Whether an account exists whose creation failed is not known.
  for (let n = 0; names.length < users && !context.stopping.aborted; n++) {
    const username = `${context.prefix}-user-${n}@chaos.test`
    if (await createUser(context, username)) names.push(username)
    else await sleep(500)
  }
  await repeat(context, 1000, async () => {
    await logIn(context, 'user', oneOf(names, context.random))
  })
}

/** Agents are registered; some of them log in and are removed, which revokes their token. */
export async function registrations(context: Context, revoked: Revoked[]): Promise<void> {
  await repeat(context, 1000, async (n) => {
    const apId = `${context.prefix}-registered-${n}`
    const { token } = context
    const body = { ap_id: apId, password, configuration: {} }
    const path = '/api/v1/agents/'
    const { outcome } = await perform(context, {
      kind: 'register',
      subject: apId,
      method: 'POST',
      path,
      token,
      body,
    })
    if (outcome !== 'ok' || n % 3 !== 0) return
    const ofAgent = await logIn(context, 'agent', apId)
    await sleep(500)
    const removed = await perform(context, {
      kind: 'remove',
      subject: apId,
      method: 'DELETE',
      path: path + apId,
      token,
    })
    if (removed.outcome === 'ok' && ofAgent !== undefined)
      await probe(context, { subject: apId, token: ofAgent, path: path + apId }, revoked)
  })
}

/** Users log in and lose their token, by another password or by being deleted. */
export async function revocations(context: Context, revoked: Revoked[]): Promise<void> {
  await repeat(context, 2500, async (n) => {
    const username = `${context.prefix}-revoked-${n}@chaos.test`
    if (!(await createUser(context, username))) return
    const ofUser = await logIn(context, 'user', username)
    if (ofUser === undefined) return
    const { outcome } = await perform(context, {
      kind: 'revoke',
      subject: username,
      method: n % 2 === 0 ? 'PUT' : 'DELETE',
      path: `/api/v1/users/${username}`,
      token: context.token,
      ...(n % 2 === 0 && { body: { password: `${password}-2` } }),
    })
    if (outcome === 'ok')
      await probe(context, { subject: username, token: ofUser, path: '/api/v1/users/me' }, revoked)
  })
}

/** Tokens that were revoked long ago are used too: a process that was started later must know them. */
export async function oldTokens(context: Context, revoked: readonly Revoked[]): Promise<void> {
  await repeat(context, 1000, async () => {
    if (revoked.length > 0) await use(context, oneOf(revoked, context.random))
  })
}

async function probe(context: Context, token: Revoked, revoked: Revoked[]): Promise<void> {
  const revokedAt = Date.now()
  for (const afterMs of probesAfterMs) {
    await sleep(Math.max(0, revokedAt + afterMs - Date.now()))
    await Promise.all(context.urls.map((url) => use({ ...context, urls: [url] }, token)))
  }
  revoked.push(token)
}

async function use(context: Context, { subject, token, path }: Revoked): Promise<void> {
  await perform(context, { kind: 'probe', subject, method: 'GET', path, token })
}

async function createUser(context: Context, username: string): Promise<boolean> {
  const { outcome } = await perform(context, {
    kind: 'account',
    subject: username,
    method: 'POST',
    path: '/api/v1/users/',
    token: context.token,
    body: { username, password, roles: [] },
  })
  return outcome === 'ok'
}

async function logIn(context: Context, type: 'user' | 'agent', username: string) {
  const { outcome, body } = await perform(context, {
    kind: 'login',
    subject: username,
    method: 'POST',
    path: `/api/v1/token/?login_type=${type}`,
    form: { username, password },
  })
  return outcome === 'ok' ? String(body.access_token) : undefined
}
