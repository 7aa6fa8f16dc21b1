import { Forgery } from './forgery.ts'
import type { CallerName } from './names.ts'
import { forgetful, themselves } from './people.ts'
import type { Site } from './site.ts'

/** The `Authorization` header of each caller; undefined for none. */
export type Callers = Record<Exclude<CallerName, 'setup token'>, string | undefined>

export async function makeCallers(site: Site): Promise<Callers> {
  const tokens = { ...(await goodTokens(site)), ...(await endedTokens(site)), ...(await forgedTokens(site)) }
  const { username, password } = themselves.user
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const bearers = Object.entries(tokens).map(([name, token]) => [name, `Bearer ${token}`])
  return {
    ...(Object.fromEntries(bearers) as Record<keyof typeof tokens, string>),
    anonymous: undefined,
    'Basic instead of Bearer': `Basic ${basic}`,
  }
}

async function goodTokens(site: Site) {
  await user(site, forgetful.username, forgetful.password, [])
  const { token: enrolment } = await site.asAdmin('POST', '/api/v1/enrolment_tokens', { max_uses: 1000 })
  return {
    user: await userToken(site, ['user']),
    operator: await userToken(site, ['operator']),
    admin: await userToken(site, ['admin']),
    administrator: await userToken(site, ['Administrator']),
    'user with a label for a role': await userToken(site, ['night shift']),
    'user itself': await user(site, themselves.user.username, themselves.user.password, ['user']),
    'another user': await userToken(site, []),
    'agent itself': await agentToken(site, themselves.agent.ap_id),
    'another agent': await agentToken(site, 'grid-other'),
    'app with default permissions': await appToken(site, 'grid default', {}),
    'app with the permission denied': await appToken(site, 'grid denied', {
      'agents:read': false,
      'metrics:read': false,
    }),
    'app of other agents': await appToken(site, 'grid others', {
      agents: [
        'grid-other',
        'grid-o*',
        '*-other',
        'grid-*-self',
        '*d-*-*f',
        '*-s*lf-',
        'new-other',
        '*-other*',
      ],
    }),
    'app of these agents by a pattern': await appToken(site, 'grid pattern', {
      agents: ['g*d-*lf', 'n*w-*'],
    }),
    'app itself': await appToken(site, themselves.app.app_name, {}),
    'another app': await appToken(site, 'grid another', {}),
    'enrolment token': String(enrolment),
  }
}

/** Administrators once: one has a new password, the other is gone. */
async function endedTokens(site: Site) {
  const revoked = await user(site, 'revoked@grid.test', 'first-password', ['admin'])
  const deleted = await user(site, 'deleted@grid.test', 'first-password', ['admin'])
  await site.asAdmin('PUT', '/api/v1/users/revoked@grid.test', { password: 'second-password' })
  await site.asAdmin('DELETE', '/api/v1/users/deleted@grid.test')
  return { 'revoked token': revoked, 'token of a deleted account': deleted }
}

async function forgedTokens(site: Site) {
  const forgery = new Forgery(site.adminToken, site.variables['MANC_TOKEN_KEY'] ?? '')
  const nowS = Math.floor(Date.now() / 1000)
  return {
    'well-made token': await forgery.make(),
    'malformed token': 'no.jwt.at-all',
    'expired token': await forgery.make({ claims: { iat: nowS - 3600, exp: nowS - 1 } }),
    'token with alg=none': forgery.unsigned(),
    'token of another algorithm': await forgery.make({ algorithm: 'HS512' }),
    'token with a wrong signature': await forgery.make({ key: 'x'.repeat(64) }),
    'token for another audience': await forgery.make({ claims: { aud: 'others' } }),
    'token of another issuer': await forgery.make({ claims: { iss: 'others' } }),
    'token of another type': await forgery.make({ type: 'JWT' }),
  }
}

async function user(site: Site, username: string, password: string, roles: string[]): Promise<string> {
  await site.asAdmin('POST', '/api/v1/users/', { username, password, roles })
  return site.token('user', username, password)
}

const userToken = (site: Site, roles: string[]) =>
  user(site, `${site.uniqueName('caller')}@grid.test`, 'caller-password', roles)

async function agentToken(site: Site, ap_id: string): Promise<string> {
  const { password } = themselves.agent
  await site.asAdmin('POST', '/api/v1/agents/', { ap_id, password, configuration: {} })
  return site.token('agent', ap_id, password)
}

async function appToken(site: Site, app_name: string, permissions: object): Promise<string> {
  const { api_key } = themselves.app
  await site.asAdmin('POST', '/api/v1/third_party_apps/', { app_name, api_key, permissions })
  return site.token('third_party_app', app_name, api_key)
}
