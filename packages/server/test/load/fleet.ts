import { newId } from '../../src/ids.ts'
import { Secrets } from '../../src/secrets.ts'
import { Jwt } from '../../src/tokens/jwt.ts'
import { type Environment, sqlAt } from '../harness.ts'

export interface FleetAgent {
  apId: string
  token: string
}

const fleetPassword = 'fleet-password'

/** Many agents at once: rows and tokens as the server makes them, without a thousand logins. */
export async function makeFleet(
  environment: Environment,
  prefix: string,
  size: number,
): Promise<FleetAgent[]> {
  const secrets = new Secrets({ dataKey: environment['MANC_DATA_KEY'] ?? '' })
  const jwt = new Jwt({ key: environment['MANC_TOKEN_KEY'] ?? '', longestLifeS: 7200 })
  const passwordHash = await secrets.hashPassword(fleetPassword)
  const agents = Array.from({ length: size }, (_, n) => ({ id: newId(), apId: `${prefix}-${n}` }))
  await sqlAt(
    environment['MANC_DATABASE_URL'] ?? '',
    `insert into agents (id, ap_id, password_hash, configuration)
     select id, ap_id, $3, '{}' from unnest($1::uuid[], $2::text[]) as fleet (id, ap_id)`,
    [agents.map(({ id }) => id), agents.map(({ apId }) => apId), passwordHash],
  )
  return Promise.all(
    agents.map(async ({ id, apId }) => ({
      apId,
      token: await jwt.sign({ kind: 'agent', sub: apId, uid: id, ver: 0, scope: '' }, 3600),
    })),
  )
}
