import { tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const nul = 'a\0b'

/** PostgreSQL stores no U+0000 in a text. */
describe('U+0000 in a body is no error of the server', () => {
  it.for<[string, string, unknown, number]>([
    ['as a command to many', '/api/v1/commands', { command: nul, agents: ['none'] }, 200],
    ['in the agents of a command', '/api/v1/commands', { command: 'x', agents: [nul, '\0', 'none'] }, 200],
    [
      'in the locations of an emulation',
      '/api/v1/emulator/spinup',
      { emulators: [{ ...emulator(), locations: [nul] }] },
      422,
    ],
    [
      'in the seed of an emulation',
      '/api/v1/emulator/spinup',
      { emulators: [{ ...emulator(), seed: nul }] },
      200,
    ],
    ['in the agent of an update', '/api/v1/agent_update/update', { ap_id: nul, payload: { a: 1 } }, 404],
    [
      'in the agents of an app',
      '/api/v1/third_party_apps/',
      { app_name: uniqueName('app'), api_key: 'k', permissions: { agents: nul } },
      200,
    ],
    ['in a reset token', '/api/v1/users/reset-password', { token: nul, new_password: 'long-enough' }, 400],
    [
      'in a posted result',
      `/api/v1/callback/agent_data?job_number=${uniqueName('job')}`,
      [nul, { [nul]: nul }],
      200,
    ],
  ])('%s', async ([, path, body, status], { environment }) => {
    const answer = await environment.request('POST', path, body)
    expect([answer.status, answer.body]).toEqual([status, expect.anything()])
  })

  it('in the results and samples of an agent', async ({ environment }) => {
    const ap_id = uniqueName('nul')
    await environment.request('POST', '/api/v1/agents/', {
      ap_id,
      password: 'p',
      configuration: { [nul]: nul },
    })
    const token = await tokenOf(environment.url, 'agent', ap_id, 'p')
    for (const body of [
      { results: [{ id: nul, state: 'failed', result: nul, detail: nul }] },
      { payload: { model: nul } },
      { configuration: { name: nul, commands: [nul] } },
    ])
      expect((await environment.request('POST', '/api/v1/agent_update/update', body, token)).status).toBe(200)
  })
})

function emulator() {
  return { access_point_type: 'LiFi', num_access_points: 1, locations: ['1,1'], num_devices: 1, duration: 1 }
}
