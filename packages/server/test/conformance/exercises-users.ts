import type { Account, ConformanceEnvironment } from './environment.ts'
import type { Exercise, Prepare } from './exercise.ts'
import type { Prepared } from './request.ts'

const success = { status: 'success' }

const createUser: Prepare = (environment) => {
  const user = environment.newUser()
  return {
    token: environment.adminToken,
    body: { username: user.name, password: user.secret, roles: ['user', 'lab'] },
    expected: { username: user.name, roles: 'user,lab' },
  }
}

function logInAs(kind: string, { name, secret }: Account, lifetimeS: number): Prepared {
  return {
    query: { login_type: kind },
    form: {
      grant_type: 'password',
      username: name,
      password: secret,
      scope: '',
      client_id: 'any',
      client_secret: 'any',
    },
    expected: { token_type: 'bearer', expires_in: lifetimeS },
  }
}

/** Roles that a user made for an exercise has before it is changed. */
const before = { roles: 'user' }

async function updateUser(
  environment: ConformanceEnvironment,
  body: unknown,
  after: Record<string, unknown>,
): Promise<Prepared> {
  const { name } = await environment.user()
  return {
    token: environment.adminToken,
    path: { username: name },
    body,
    expected: { username: name, ...after },
  }
}

async function resetPassword(environment: ConformanceEnvironment): Promise<Prepared> {
  const body = { token: 'unknown', new_password: environment.password() }
  // Without a look into the mailbox only the refusal of a token can be seen.
  if (!environment.mail) return { body, status: 400 }
  const token = await environment.resetTokenOf(await environment.user(), environment.mail)
  return { body: { ...body, token }, expected: success }
}

export const userExercises: Record<number, Exercise> = {
  1: {
    valid: (environment) => logInAs('user', environment.admin, 1800),
    variants: {
      'an agent logs in': async (environment) => logInAs('agent', await environment.agent(), 3600),
      'an app logs in': async (environment) => logInAs('third_party_app', await environment.app(), 3600),
    },
  },
  2: { valid: createUser },
  3: {
    valid: (environment) => {
      const user = environment.newUser()
      return {
        body: { username: user.name, password: user.secret },
        expected: { username: user.name, roles: 'user' },
      }
    },
  },
  4: {
    valid: async (environment) => ({
      body: { username: (await environment.user()).name },
      expected: success,
    }),
    variants: {
      'an account that does not exist': (environment) => ({
        body: { username: `${environment.name()}@manc.test` },
        expected: success,
      }),
    },
  },
  5: { valid: resetPassword },
  6: {
    valid: (environment) => ({ token: environment.adminToken }),
    variants: {
      'one at a time': (environment) => ({ token: environment.adminToken, query: { limit: '1' } }),
    },
  },
  7: { valid: createUser },
  8: {
    valid: async (environment) => {
      const { name } = await environment.user()
      return {
        token: environment.adminToken,
        path: { username: name },
        expected: { username: name, ...before },
      }
    },
  },
  9: {
    valid: (environment) =>
      updateUser(environment, { password: environment.password(), roles: ['lab'] }, { roles: 'lab' }),
    variants: {
      'an empty update changes nothing': (environment) => updateUser(environment, {}, before),
      'nulls change nothing': (environment) =>
        updateUser(environment, { password: null, roles: null }, before),
    },
  },
  10: {
    valid: async (environment) => ({
      token: environment.adminToken,
      path: { username: (await environment.user()).name },
      expected: success,
    }),
  },
  11: {
    valid: (environment) => ({
      token: environment.adminToken,
      expected: { username: environment.admin.name },
    }),
  },
}
