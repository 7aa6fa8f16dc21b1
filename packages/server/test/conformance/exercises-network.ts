import { call } from '@manc/harness'
import type { ConformanceEnvironment } from './environment.ts'
import type { Exercise, Prepare } from './exercise.ts'
import { RawSocket } from './raw-socket.ts'
import { memberOf, type Prepared, type QueryValue } from './request.ts'

const success = { status: 'success' }
const HOUR_MS = 3_600_000

async function postAs(
  environment: ConformanceEnvironment,
  body: Record<string, unknown>,
  accepted: number,
): Promise<Prepared> {
  const token = await environment.tokenOfAgent(await environment.agent())
  return { token, body, expected: { ...success, accepted } }
}

function metricsOf(query: Record<string, QueryValue>, minutes: number): Prepare {
  return async (environment) => {
    const { name } = await environment.reportingAgent()
    return {
      token: environment.adminToken,
      query: { agent: name, ...query },
      expected: { agent_id: name, window_minutes: minutes },
    }
  }
}

function withKey(prepare: Prepare): Prepare {
  return async (environment) => {
    const prepared = await prepare(environment)
    const key = `agent/${(await environment.reportingAgent()).name}/data`
    return { ...prepared, expected: { ...prepared.expected, key } }
  }
}

function spinUp(...technologies: string[]): Prepare {
  const emulators = technologies.map((technology) => ({
    access_point_type: technology,
    num_access_points: 1,
    locations: ['51.4545,-2.5879'],
    num_devices: 1,
    duration: 1,
  }))
  return (environment) => ({ token: environment.adminToken, body: { emulators }, expected: success })
}

function post(data: unknown[]): Prepare {
  return (environment) => {
    const number = environment.name()
    return {
      token: environment.adminToken,
      query: { job_number: number },
      body: data,
      expected: { ...success, job_number: number, delivered: false },
    }
  }
}

/** The client connects to a number that is used afterwards. */
function postToOpenSocket(data: unknown[]): Prepare {
  return async (environment) => {
    const prepared = await post(data)(environment)
    const number = String(prepared.query?.job_number)
    const socket = await RawSocket.open(environment, number)
    // A client counts as connected shortly after its socket is open. The arrival of a message shows that it does.
    await call(environment.url, 'POST', `/api/v1/callback/agent_data?job_number=${number}`, {
      token: environment.adminToken,
      body: ['first'],
    })
    await socket.message(1)
    return {
      ...prepared,
      expected: { ...prepared.expected, delivered: true },
      effect: {
        what: 'message on the socket',
        expected: data,
        read: async () => {
          const message = await socket.message(2)
          socket.close()
          return message
        },
      },
    }
  }
}

/** The socket of a job is closed when the job has ended and all is delivered. */
const readToEnd: Prepare = (environment) => ({
  token: environment.adminToken,
  effect: {
    what: 'close code of the socket',
    expected: 1000,
    read: async ({ json }) =>
      (await RawSocket.open(environment, String(memberOf(json, 'job_number')))).closeCode(),
  },
})

const historyOf = async (environment: ConformanceEnvironment): Promise<Record<string, QueryValue>> => ({
  agent_id: (await environment.agent()).name,
  start_time: new Date(Date.now() - HOUR_MS).toISOString(),
  end_time: new Date().toISOString(),
})

export const networkExercises: Record<number, Exercise> = {
  21: {
    valid: (environment) => postAs(environment, { ts: new Date().toISOString(), payload: { clients: 5 } }, 1),
    variants: {
      'a body that is itself a sample': (environment) =>
        postAs(environment, { clients: 5, load: { cpu: 0.5 } }, 1),
      'a time in microseconds': (environment) => postAs(environment, { ts: Date.now() * 1e3, clients: 5 }, 1),
      'a time in nanoseconds': (environment) =>
        postAs(environment, { ts: `${Date.now()}000000`, clients: 5 }, 1),
      'an empty body is no sample': (environment) => postAs(environment, {}, 0),
    },
  },
  22: {
    valid: (environment) => ({ token: environment.adminToken }),
    variants: {
      'a client that reads to the end': readToEnd,
      'an idempotency key that is too long': (environment) => ({
        token: environment.adminToken,
        headers: { 'idempotency-key': 'x'.repeat(256) },
        status: 422,
      }),
    },
  },
  23: {
    valid: async (environment) => ({
      token: environment.adminToken,
      query: await historyOf(environment),
    }),
    variants: {
      'an app with empty permissions': async (environment) => ({
        token: await environment.tokenOfApp(await environment.app({})),
        query: await historyOf(environment),
      }),
      'the agent itself, times without an offset': async (environment) => {
        const agent = await environment.agent()
        const query = {
          agent_id: agent.name,
          start_time: '2026-01-01T00:00:00',
          end_time: '2026-01-02 00:00:00',
        }
        return { token: await environment.tokenOfAgent(agent), query }
      },
    },
  },
  24: {
    valid: async (environment) => ({
      token: environment.adminToken,
      query: { agent_id: (await environment.agent()).name, command: 'reboot' },
    }),
    variants: {
      // Decision: anyone may become a standard user.
      'a standard user': async (environment) => ({
        token: await environment.tokenOfUser(await environment.user()),
        query: { agent_id: (await environment.agent()).name, command: 'reboot' },
        status: 403,
      }),
      'a configuration whose `commands` is no list of strings': async (environment) => ({
        token: environment.adminToken,
        query: { agent_id: (await environment.agent({ commands: [1, {}] })).name, command: 'reboot' },
      }),
    },
  },
  25: {
    valid: spinUp('LiFi'),
    variants: { 'every technology': spinUp('5G', 'WiFi', 'LiFi') },
  },
  26: {
    // The list must have something in it to look at.
    valid: async (environment) => {
      await environment.agent()
      return { token: environment.adminToken }
    },
    variants: {
      'one at a time': (environment) => ({ token: environment.adminToken, query: { limit: '1' } }),
    },
  },
  27: {
    valid: withKey(metricsOf({}, 5)),
    variants: {
      'a window in minutes': withKey(metricsOf({ window: '10' }, 10)),
      'a window as text': withKey(metricsOf({ window: '1h' }, 60)),
      'a window in capitals': withKey(metricsOf({ window: '1H' }, 60)),
      'a window with a word as unit': withKey(metricsOf({ window: '90min' }, 90)),
      'a window with decimals': withKey(metricsOf({ window: '1.5h' }, 90)),
    },
  },
  28: {
    valid: metricsOf({ metrics: ['clients', 'throughput_mbps'] }, 5),
    variants: {
      'metrics as one text': metricsOf({ metrics: 'clients,throughput_mbps' }, 5),
      'a window in minutes': metricsOf({ metrics: 'clients', window: '10' }, 10),
      'a window as text': metricsOf({ metrics: 'clients', window: '1h' }, 60),
    },
  },
  29: {
    valid: metricsOf({}, 5),
    variants: {
      'a window in minutes': metricsOf({ window: '10' }, 10),
      'a window as text': metricsOf({ window: '1h' }, 60),
    },
  },
  30: {
    valid: post([{ time: '2026-01-01T00:00:00.000Z', field: 'clients', value: 5 }]),
    variants: {
      'items of any type': post([1, 'two', null, true, [3]]),
      // Decision: only callers that may post callbacks.
      'an app without callbacks:post': async (environment) => ({
        ...(await post([{ field: 'clients', value: 5 }])(environment)),
        token: await environment.tokenOfApp(await environment.app({ scopes: ['agents:read'] })),
        status: 403,
      }),
      'no items': post([]),
      'a client that connects before': postToOpenSocket([{ field: 'clients', value: 5 }]),
    },
  },
  31: {
    valid: post([{ ap_id: 'ap-1', onboard: true }]),
    variants: {
      'no items': post([]),
      'a client that connects before': postToOpenSocket([{ ap_id: 'ap-1', onboard: true }]),
    },
  },
  32: {
    valid: post([{ ap_id: 'ap-1', status: 'running' }]),
    variants: { 'no items': post([]), 'no items, to a client that connects before': postToOpenSocket([]) },
  },
}
