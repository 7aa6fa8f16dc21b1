import pLimit from 'p-limit'
import { newId } from '../../../server/src/ids.ts'
import { Jwt } from '../../../server/src/modules/tokens/index.ts'
import { Secrets } from '../../../server/src/secrets.ts'
import type { Variables } from '../environment.ts'
import { sqlAt } from '../sql.ts'

export interface FleetAgent {
  apId: string
  password: string
  token: string
}

interface HashedPassword {
  password: string
  hash: string
}

/** Different passwords, because the server caches verified ones one by one. Hashing takes 15 ms each. */
export async function hashPasswords(count: number): Promise<HashedPassword[]> {
  const secrets = new Secrets({ dataKey: '' })
  // The hashing queue rejects more.
  const limit = pLimit(20)
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      limit(async () => {
        const password = `fleet-password-${n}`
        return { password, hash: await secrets.hashPassword(password, 'load') }
      }),
    ),
  )
}

/** Inserts agents and signs their tokens as the server does, without a thousand registrations and logins. */
export async function createFleet(
  variables: Variables,
  prefix: string,
  size: number,
  passwords?: HashedPassword[],
): Promise<FleetAgent[]> {
  const hashed = passwords ?? (await hashPasswords(1))
  const jwt = new Jwt({ key: variables['MANC_TOKEN_KEY'] ?? '', maxLifetimeS: 7200 })
  const agents = Array.from({ length: size }, (_, n) => {
    const { password = '', hash = '' } = hashed[n % hashed.length] ?? {}
    return { id: newId(), apId: `${prefix}-${n}`, password, hash }
  })
  await sqlAt(
    variables['MANC_DATABASE_URL'] ?? '',
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
