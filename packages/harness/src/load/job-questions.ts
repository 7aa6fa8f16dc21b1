import { randomBytes } from 'node:crypto'
import { newId } from '../../../server/src/ids.ts'
import { type Environment, sqlAt } from '../environment.ts'

/** What is asked for as a job, and its full answer. */
export interface Question {
  path: string
  answer: unknown[]
}

/** Both answers are somewhat longer than a chunk, which is 256 KiB: twenty a second are work enough for two cores. */
const agents = 150
const configurationBytes = 1000
const points = 4500

/** Stores what operations 22 and 23 are asked for. Nothing changes it afterwards, so each has one right answer. */
export async function makeQuestions(environment: Environment): Promise<[Question, Question]> {
  const details = await makeAgents(environment['MANC_DATABASE_URL'] ?? '')
  const apId = details[0]?.ap_id ?? ''
  const data = await makePoints(environment['MANC_VICTORIA_URL'] ?? '', apId)
  const period = new URLSearchParams({
    agent_id: apId,
    start_time: data[0]?.time ?? '',
    end_time: data.at(-1)?.time ?? '',
  })
  return [
    { path: '/api/v1/agent_details/request_all_agents_details', answer: details },
    { path: `/api/v1/agent_data/request_agent_data?${period.toString()}`, answer: data },
  ]
}

async function makeAgents(databaseUrl: string) {
  const details = Array.from({ length: agents }, (_, n) => ({
    id: newId(),
    ap_id: `job-${String(n).padStart(4, '0')}`,
    // Random, so that nothing on the way compresses it.
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

/** Every point has a value of its own: one that is lost, doubled or displaced shows. */
async function makePoints(victoriaUrl: string, apId: string) {
  const startMs = Math.floor(Date.now() / 1000) * 1000 - 2 * points * 1000
  const data = Array.from({ length: points }, (_, n) => ({
    time: new Date(startMs + n * 1000).toISOString(),
    field: 'clients',
    value: n,
  }))
  const lines = data.map(
    ({ time, field, value }) => `agent/${apId}/data,ap_id=${apId} ${field}=${value} ${Date.parse(time)}\n`,
  )
  const answer = await fetch(`${victoriaUrl}/write?precision=ms`, { method: 'POST', body: lines.join('') })
  if (!answer.ok) throw new Error(`the points were not stored: ${answer.status} ${await answer.text()}`)
  await fetch(`${victoriaUrl}/internal/force_flush`)
  return data
}
