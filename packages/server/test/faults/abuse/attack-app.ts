import { randomUUID } from 'node:crypto'
import { type Attack, oddWindow } from './attack.ts'

const json = JSON.stringify

/** An app with the default permissions: it commands all agents, and reads everything. */
export function attackAsApp(attack: Attack): Promise<unknown> {
  const post = (path: string, body?: unknown) =>
    attack.send({
      method: 'POST',
      path,
      ...(body !== undefined && { body: json(body) }),
      headers: { 'idempotency-key': randomUUID() },
    })
  return Promise.all([
    attack.repeat('bulk commands', 4, () =>
      post('/api/v1/commands', { command: 'status', agents: attack.options.others }),
    ),
    attack.repeat('bulk commands to unknown agents', 1, () =>
      post('/api/v1/commands', {
        command: 'x'.repeat(1024),
        agents: Array.from({ length: 10_000 }, (_, n) => `unknown-${n}`),
      }),
    ),
    attack.repeat('commands', 8, () =>
      post(`/api/v1/send_command?agent_id=${attack.other()}&command=${'x'.repeat(1000)}`),
    ),
    attack.repeat('jobs', 4, () => post('/api/v1/agent_details/request_all_agents_details')),
    attack.repeat('history', 4, () =>
      post(
        `/api/v1/agent_data/request_agent_data?agent_id=${attack.other()}&start_time=2026-01-01T00:00:00Z&end_time=2027-01-01T00:00:00Z`,
      ),
    ),
    attack.repeat('callbacks', 2, () =>
      post(`/api/v1/callback/agent_data?job_number=${randomUUID()}`, [{ text: 'x'.repeat(500_000) }]),
    ),
    attack.repeat('charts', 12, () =>
      attack.send({ path: `/api/v1/metrics/agent_data?agent=${attack.other()}&window=${oddWindow()}` }),
    ),
    attack.repeat('lists', 6, () => attack.send({ path: '/api/v1/fleet/agents?limit=5000' })),
    attack.repeat('all details', 4, () => attack.send({ path: '/api/v1/metrics/agent_details' })),
    attack.repeat('changes', 4, () => attack.send({ path: '/api/v1/fleet/changes' })),
    attack.repeat('figures', 4, () => attack.send({ path: '/api/v1/fleet/figures' })),
  ])
}
