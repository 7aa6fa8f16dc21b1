import { uniqueName } from '@manc/harness'
import { resetUser, subjects } from './accounts.ts'
import type { GridEnvironment } from './environment.ts'
import { Forgery } from './forgery.ts'
import type { CallerName } from './names.ts'

/** The `Authorization` header of each caller; undefined for none. */
export type Callers = Record<Exclude<CallerName, 'setup token'>, string | undefined>

export async function makeCallers(environment: GridEnvironment): Promise<Callers> {
  const tokens = {
    ...(await goodTokens(environment)),
    ...(await endedTokens(environment)),
    ...(await forgedTokens(environment)),
  }
  const { username, password } = subjects.user
  const basic = Buffer.from(`${username}:${password}`).toString('base64')
  const bearers = Object.entries(tokens).map(([name, token]) => [name, `Bearer ${token}`])
  return {
    ...(Object.fromEntries(bearers) as Record<keyof typeof tokens, string>),
    anonymous: undefined,
    'Basic instead of Bearer': `Basic ${basic}`,
  }
}

async function goodTokens(environment: GridEnvironment) {
  await user(environment, resetUser.username, resetUser.password, [])
  const { token: enrolment } = await environment.asAdmin('POST', '/api/v1/enrolment_tokens', {
    max_uses: 1000,
  })
  return {
    user: await userToken(environment, ['user']),
    operator: await userToken(environment, ['operator']),
    admin: await userToken(environment, ['admin']),
    administrator: await userToken(environment, ['Administrator']),
    'user with a label for a role': await userToken(environment, ['night shift']),
    'user itself': await user(environment, subjects.user.username, subjects.user.password, ['user']),
    'another user': await userToken(environment, []),
    'agent itself': await agentToken(environment, subjects.agent.ap_id),
    'another agent': await agentToken(environment, 'grid-other'),
    'app with default permissions': await appToken(environment, 'grid default', {}),
    'app with the permission denied': await appToken(environment, 'grid denied', {
      'agents:read': false,
      'metrics:read': false,
    }),
    'app of other agents': await appToken(environment, 'grid others', {
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
    'app in the sandbox': await appToken(environment, 'grid sandbox', { sandbox: true }),
    'app of these agents by a pattern': await appToken(environment, 'grid pattern', {
      agents: ['g*d-*lf', 'n*w-*'],
    }),
    'app itself': await appToken(environment, subjects.app.app_name, {}),
    'another app': await appToken(environment, 'grid another', {}),
    'enrolment token': String(enrolment),
  }
}

/** Administrators once: one has a new password, the other is gone. */
async function endedTokens(environment: GridEnvironment) {
  const revoked = await user(environment, 'revoked@grid.test', 'first-password', ['admin'])
  const deleted = await user(environment, 'deleted@grid.test', 'first-password', ['admin'])
  await environment.asAdmin('PUT', '/api/v1/users/revoked@grid.test', { password: 'second-password' })
  await environment.asAdmin('DELETE', '/api/v1/users/deleted@grid.test')
  return { 'revoked token': revoked, 'token of a deleted account': deleted }
}

async function forgedTokens(environment: GridEnvironment) {
  const forgery = new Forgery(environment.adminToken, environment.variables['MANC_TOKEN_KEY'] ?? '')
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

async function user(
  environment: GridEnvironment,
  username: string,
  password: string,
  roles: string[],
): Promise<string> {
  await environment.asAdmin('POST', '/api/v1/users/', { username, password, roles })
  return environment.token('user', username, password)
}

const userToken = (environment: GridEnvironment, roles: string[]) =>
  user(environment, `${uniqueName('caller')}@grid.test`, 'caller-password', roles)

async function agentToken(environment: GridEnvironment, ap_id: string): Promise<string> {
  const { password } = subjects.agent
  await environment.asAdmin('POST', '/api/v1/agents/', { ap_id, password, configuration: {} })
  return environment.token('agent', ap_id, password)
}

async function appToken(
  environment: GridEnvironment,
  app_name: string,
  permissions: object,
): Promise<string> {
  const { api_key } = subjects.app
  await environment.asAdmin('POST', '/api/v1/third_party_apps/', { app_name, api_key, permissions })
  return environment.token('third_party_app', app_name, api_key)
}
