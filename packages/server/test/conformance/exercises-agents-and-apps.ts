import type { Exercise, Prepare } from './exercise.ts'
import type { Prepared } from './request.ts'
import type { World } from './world.ts'

const configuration = {
  technology: 'WiFi',
  geolocation: { latitude: 51.4545, longitude: -2.5879 },
  channels: [1, 6, 11],
  label: null,
}

const permissions = { scopes: ['agents:read', 'metrics:read'], note: { kept: true } }

const createAgent: Prepare = (world) => {
  const agent = world.newAgent()
  return {
    token: world.adminToken,
    body: { ap_id: agent.name, password: agent.secret, configuration },
    expected: { ap_id: agent.name, configuration },
  }
}

async function updateAgent(world: World, body: unknown, after: unknown): Promise<Prepared> {
  const { name } = await world.agent(configuration)
  return {
    token: world.adminToken,
    path: { ap_id: name },
    body,
    expected: { ap_id: name, configuration: after },
  }
}

async function updateApp(
  world: World,
  body: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<Prepared> {
  const { name, secret } = await world.app(permissions)
  return {
    token: world.adminToken,
    path: { app_name: name },
    body,
    expected: { app_name: name, api_key: secret, permissions, ...after },
  }
}

export const agentAndAppExercises: Record<number, Exercise> = {
  12: { valid: createAgent },
  13: { valid: createAgent },
  14: {
    valid: async (world) => {
      const { name } = await world.agent(configuration)
      return {
        token: world.adminToken,
        path: { ap_id: name },
        expected: { ap_id: name, configuration },
      }
    },
    variants: {
      'the agent itself': async (world) => {
        const agent = await world.agent(configuration)
        return {
          token: await world.tokenOfAgent(agent),
          path: { ap_id: agent.name },
          expected: { ap_id: agent.name, configuration },
        }
      },
    },
  },
  15: {
    valid: (world) => {
      const changed = { geolocation: { latitude: 1, longitude: 2 } }
      return updateAgent(world, { password: world.password(), configuration: changed }, changed)
    },
    variants: {
      'an empty update changes nothing': (world) => updateAgent(world, {}, configuration),
      'nulls change nothing': (world) =>
        updateAgent(world, { password: null, configuration: null }, configuration),
    },
  },
  16: {
    valid: async (world) => ({
      token: world.adminToken,
      path: { ap_id: (await world.agent()).name },
      expected: { status: 'success' },
    }),
  },
  17: {
    valid: (world) => {
      const app = world.newApp()
      const record = { app_name: app.name, api_key: app.secret, permissions }
      return { token: world.adminToken, body: record, expected: record }
    },
  },
  18: {
    valid: async (world) => {
      const { name, secret } = await world.app(permissions)
      return {
        token: world.adminToken,
        path: { app_name: name },
        expected: { app_name: name, api_key: secret, permissions },
      }
    },
  },
  19: {
    valid: (world) => {
      const changed = { api_key: `key-${world.name()}`, permissions: { 'agents:read': true } }
      return updateApp(world, changed, changed)
    },
    variants: {
      'an empty update changes nothing': (world) => updateApp(world, {}, {}),
      'nulls change nothing': (world) => updateApp(world, { api_key: null, permissions: null }, {}),
    },
  },
  20: {
    valid: async (world) => ({
      token: world.adminToken,
      path: { app_name: (await world.app()).name },
      expected: { status: 'success' },
    }),
  },
}
