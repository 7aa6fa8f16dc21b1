import type { ConformanceEnvironment } from './environment.ts'
import type { Exercise, Prepare } from './exercise.ts'
import type { Prepared } from './request.ts'

const configuration = {
  technology: 'WiFi',
  geolocation: { latitude: 51.4545, longitude: -2.5879 },
  channels: [1, 6, 11],
  label: null,
}

const permissions = { scopes: ['agents:read', 'metrics:read'], note: { kept: true } }

const createAgent: Prepare = (environment) => {
  const agent = environment.newAgent()
  return {
    token: environment.adminToken,
    body: { ap_id: agent.name, password: agent.secret, configuration },
    expected: { ap_id: agent.name, configuration },
  }
}

async function updateAgent(
  environment: ConformanceEnvironment,
  body: unknown,
  after: unknown,
): Promise<Prepared> {
  const { name } = await environment.agent(configuration)
  return {
    token: environment.adminToken,
    path: { ap_id: name },
    body,
    expected: { ap_id: name, configuration: after },
  }
}

async function updateApp(
  environment: ConformanceEnvironment,
  body: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<Prepared> {
  const { name, secret } = await environment.app(permissions)
  return {
    token: environment.adminToken,
    path: { app_name: name },
    body,
    expected: { app_name: name, api_key: secret, permissions, ...after },
  }
}

function registerApp(
  permitted: Record<string, unknown>,
  change = (prepared: Prepared): Prepared => prepared,
): Prepare {
  return (environment) => {
    const app = environment.newApp()
    const record = { app_name: app.name, api_key: app.secret, permissions: permitted }
    return change({ token: environment.adminToken, body: record, expected: record })
  }
}

export const agentAndAppExercises: Record<number, Exercise> = {
  12: { valid: createAgent },
  13: { valid: createAgent },
  14: {
    valid: async (environment) => {
      const { name } = await environment.agent(configuration)
      return {
        token: environment.adminToken,
        path: { ap_id: name },
        expected: { ap_id: name, configuration },
      }
    },
    variants: {
      'the agent itself': async (environment) => {
        const agent = await environment.agent(configuration)
        return {
          token: await environment.tokenOfAgent(agent),
          path: { ap_id: agent.name },
          expected: { ap_id: agent.name, configuration },
        }
      },
    },
  },
  15: {
    valid: (environment) => {
      const changed = { geolocation: { latitude: 1, longitude: 2 } }
      return updateAgent(environment, { password: environment.password(), configuration: changed }, changed)
    },
    variants: {
      'an empty update changes nothing': (environment) => updateAgent(environment, {}, configuration),
      'nulls change nothing': (environment) =>
        updateAgent(environment, { password: null, configuration: null }, configuration),
    },
  },
  16: {
    valid: async (environment) => ({
      token: environment.adminToken,
      path: { ap_id: (await environment.agent()).name },
      expected: { status: 'success' },
    }),
  },
  17: {
    valid: registerApp(permissions),
    variants: {
      'all agents': registerApp({ agents: true }),
      'a member of permissions without a meaning is reported': registerApp({ agent: true }, (prepared) => ({
        ...prepared,
        effect: {
          what: 'Warning',
          expected: '299 - "Members of permissions without a meaning: agent"',
          read: async ({ headers }) => headers.get('warning'),
        },
      })),
      'an unknown scope is refused': registerApp({ scopes: ['agents:raed'] }, (prepared) => ({
        ...prepared,
        status: 422,
      })),
    },
  },
  18: {
    valid: async (environment) => {
      const { name, secret } = await environment.app(permissions)
      return {
        token: environment.adminToken,
        path: { app_name: name },
        expected: { app_name: name, api_key: secret, permissions },
      }
    },
  },
  19: {
    valid: (environment) => {
      const changed = { api_key: `key-${environment.name()}`, permissions: { 'agents:read': true } }
      return updateApp(environment, changed, changed)
    },
    variants: {
      'an empty update changes nothing': (environment) => updateApp(environment, {}, {}),
      'nulls change nothing': (environment) =>
        updateApp(environment, { api_key: null, permissions: null }, {}),
    },
  },
  20: {
    valid: async (environment) => ({
      token: environment.adminToken,
      path: { app_name: (await environment.app()).name },
      expected: { status: 'success' },
    }),
  },
}
