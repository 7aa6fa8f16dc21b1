import { randomBytes } from 'node:crypto'
import { measurementOf } from '@manc/contract'
import { newId } from '../../../server/src/ids.ts'
import type { Variables } from '../environment.ts'
import { sqlAt } from '../sql.ts'

/** A request for a job, and all items of its result. */
export interface JobRequest {
  path: string
  expected: unknown[]
}

/** Both results are slightly longer than a chunk of 256 KiB: twenty a second keep two cores busy. */
const agents = 150
const configurationBytes = 1000
const points = 4500

/** Stores the data for operations 22 and 23. It does not change afterwards, so each result is known. */
export async function createJobRequests(variables: Variables): Promise<[JobRequest, JobRequest]> {
  const details = await createAgents(variables['MANC_DATABASE_URL'] ?? '')
  const apId = details[0]?.ap_id ?? ''
  const data = await createPoints(variables['MANC_VICTORIA_URL'] ?? '', apId)
  const period = new URLSearchParams({
    agent_id: apId,
    start_time: data[0]?.time ?? '',
    end_time: data.at(-1)?.time ?? '',
  })
  return [
    { path: '/api/v1/agent_details/request_all_agents_details', expected: details },
    { path: `/api/v1/agent_data/request_agent_data?${period.toString()}`, expected: data },
  ]
}

async function createAgents(databaseUrl: string) {
  const details = Array.from({ length: agents }, (_, n) => ({
    id: newId(),
    ap_id: `job-${String(n).padStart(4, '0')}`,
    // Random, so that compression does not make it smaller.
    configuration: { note: randomBytes(configurationBytes).toString('hex') },
    onboard: false,
    online: false,
  }))
  await sqlAt(
    databaseUrl,
    `insert into agents (id, ap_id, password_hash, configuration)
     select id, ap_id, 'x', configuration from unnest($1::uuid[], $2::text[], $3::json[]) as new (id, ap_id, configuration)`,
    [
      details.map(({ id }) => id),
      details.map(({ ap_id }) => ap_id),
      details.map(({ configuration }) => JSON.stringify(configuration)),
    ],
  )
  return details
}

/** Every point has a different value, so that a lost, duplicated or reordered one is detected. */
async function createPoints(victoriaUrl: string, apId: string) {
  const startMs = Math.floor(Date.now() / 1000) * 1000 - 2 * points * 1000
  const data = Array.from({ length: points }, (_, n) => ({
    time: new Date(startMs + n * 1000).toISOString(),
    field: 'clients',
    value: n,
  }))
  const lines = data.map(
    ({ time, field, value }) =>
      `${measurementOf(apId)},ap_id=${apId} ${field}=${value} ${Date.parse(time)}\n`,
  )
  const response = await fetch(`${victoriaUrl}/write?precision=ms`, { method: 'POST', body: lines.join('') })
  if (!response.ok) throw new Error(`the points were not stored: ${response.status} ${await response.text()}`)
  await fetch(`${victoriaUrl}/internal/force_flush`)
  return data
}
