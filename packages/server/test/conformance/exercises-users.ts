import type { Exercise, Prepare } from './exercise.ts'
import type { Prepared } from './request.ts'
import type { Account, World } from './world.ts'

const success = { status: 'success' }

const createUser: Prepare = (world) => {
  const user = world.newUser()
  return {
    token: world.adminToken,
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

async function updateUser(world: World, body: unknown, after: Record<string, unknown>): Promise<Prepared> {
  const { name } = await world.user()
  return {
    token: world.adminToken,
    path: { username: name },
    body,
    expected: { username: name, ...after },
  }
}

async function resetPassword(world: World): Promise<Prepared> {
  const body = { token: 'unknown', new_password: world.password() }
  // Without a look into the mailbox only the refusal of a token can be seen.
  if (!world.mail) return { body, status: 400 }
  const token = await world.resetTokenOf(await world.user(), world.mail)
  return { body: { ...body, token }, expected: success }
}

export const userExercises: Record<number, Exercise> = {
  1: {
    valid: (world) => logInAs('user', world.admin, 1800),
    variants: {
      'an agent logs in': async (world) => logInAs('agent', await world.agent(), 3600),
      'an app logs in': async (world) => logInAs('third_party_app', await world.app(), 3600),
    },
  },
  2: { valid: createUser },
  3: {
    valid: (world) => {
      const user = world.newUser()
      return {
        body: { username: user.name, password: user.secret },
        expected: { username: user.name, roles: 'user' },
      }
    },
  },
  4: {
    valid: async (world) => ({ body: { username: (await world.user()).name }, expected: success }),
    variants: {
      'an account that does not exist': (world) => ({
        body: { username: `${world.name()}@manc.test` },
        expected: success,
      }),
    },
  },
  5: { valid: resetPassword },
  6: {
    valid: (world) => ({ token: world.adminToken }),
    variants: { 'one at a time': (world) => ({ token: world.adminToken, query: { limit: '1' } }) },
  },
  7: { valid: createUser },
  8: {
    valid: async (world) => {
      const { name } = await world.user()
      return { token: world.adminToken, path: { username: name }, expected: { username: name, ...before } }
    },
  },
  9: {
    valid: (world) => updateUser(world, { password: world.password(), roles: ['lab'] }, { roles: 'lab' }),
    variants: {
      'an empty update changes nothing': (world) => updateUser(world, {}, before),
      'nulls change nothing': (world) => updateUser(world, { password: null, roles: null }, before),
    },
  },
  10: {
    valid: async (world) => ({
      token: world.adminToken,
      path: { username: (await world.user()).name },
      expected: success,
    }),
  },
  11: { valid: (world) => ({ token: world.adminToken, expected: { username: world.admin.name } }) },
}
