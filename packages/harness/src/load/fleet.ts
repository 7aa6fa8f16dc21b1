import pLimit from 'p-limit'
import { newId } from '../../../server/src/ids.ts'
import { Jwt } from '../../../server/src/modules/tokens/index.ts'
import { Secrets } from '../../../server/src/secrets.ts'
import { type Environment, sqlAt } from '../environment.ts'

export interface FleetAgent {
  apId: string
  password: string
  token: string
}

interface Chosen {
  password: string
  hash: string
}

/** Passwords of their own, each hashed for itself: the server remembers them one by one. 15 ms each. */
export async function choosePasswords(count: number): Promise<Chosen[]> {
  const secrets = new Secrets({ dataKey: '' })
  // More would be turned away.
  const atOnce = pLimit(20)
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      atOnce(async () => {
        const password = `fleet-password-${n}`
        return { password, hash: await secrets.hashPassword(password) }
      }),
    ),
  )
}

/** Many agents at once: rows and tokens as the server makes them, without a thousand logins. */
export async function makeFleet(
  environment: Environment,
  prefix: string,
  size: number,
  passwords?: Chosen[],
): Promise<FleetAgent[]> {
  const chosen = passwords ?? (await choosePasswords(1))
  const jwt = new Jwt({ key: environment['MANC_TOKEN_KEY'] ?? '', longestLifeS: 7200 })
  const agents = Array.from({ length: size }, (_, n) => {
    const { password = '', hash = '' } = chosen[n % chosen.length] ?? {}
    return { id: newId(), apId: `${prefix}-${n}`, password, hash }
  })
  await sqlAt(
    environment['MANC_DATABASE_URL'] ?? '',
    `insert into agents (id, ap_id, password_hash, configuration)
     select id, ap_id, hash, '{}' from unnest($1::uuid[], $2::text[], $3::text[]) as fleet (id, ap_id, hash)`,
    [agents.map(({ id }) => id), agents.map(({ apId }) => apId), agents.map(({ hash }) => hash)],
  )
  return Promise.all(
    agents.map(async ({ id, apId, password }) => ({
      apId,
      password,
      token: await jwt.sign({ kind: 'agent', sub: apId, uid: id, ver: 0, scope: '' }, 3600),
    })),
  )
}
