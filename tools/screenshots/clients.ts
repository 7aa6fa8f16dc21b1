/** Clients of the campus: agents that send over HTTP do not report them. */
import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { accessPoints, type CampusAccessPoint } from './campus.ts'

const minuteMs = 60_000
const clientsOfEach = 4

/** A client that walks: minutes ago at which it attached, and where. It is still attached to the last one. */
const walk = [
  [58, 'hall-5g-1'],
  [49, 'hall-wifi-1'],
  [41, 'hall-lifi-1'],
  [33, 'hall-wifi-2'],
  [28, 'library-5g-1'],
  [22, 'library-wifi-1'],
  [17, 'library-lifi-1'],
  [12, 'library-wifi-2'],
  [6, 'library-lifi-2'],
] as const

const idOf = (name: string): string => `c${createHash('sha256').update(name).digest('hex').slice(0, 20)}`

/** Inserts clients of all access points. Returns the one that walks. */
export async function insertClients(postgresUrl: string, nowMs: number): Promise<string> {
  const postgres = new Client({ connectionString: postgresUrl })
  await postgres.connect()
  try {
    for (const [n, accessPoint] of accessPoints.entries())
      for (let client = 0; client < clientsOfEach; client++) {
        const sinceMs = nowMs - (1 + ((7 * n + 13 * client) % 90)) * minuteMs
        await insertClient(postgres, idOf(`${accessPoint.id} ${client}`), accessPoint, sinceMs, null)
      }
    return await insertWalk(postgres, nowMs)
  } finally {
    await postgres.end()
  }
}

async function insertWalk(postgres: Client, nowMs: number): Promise<string> {
  const id = idOf('walk')
  const visits = walk.map(([minutesAgo, apId], n) => ({
    accessPoint: accessPointOf(apId),
    sinceMs: nowMs - minutesAgo * minuteMs,
    from: walk[n - 1]?.[1] ?? null,
    untilMs: nowMs - (walk[n + 1]?.[0] ?? 0) * minuteMs,
  }))
  for (const { accessPoint, sinceMs, untilMs, from } of visits.slice(0, -1))
    await postgres.query(
      `insert into client_history
         (recorded_at, client_id, ap_id, technology, since, until, from_ap_id, ended, signal_dbm, snr_db, rate_mbps)
       values ($1, $2, $3, $4, $5, $1, $6, 'moved', $7, $8, $9)`,
      [
        new Date(untilMs),
        id,
        accessPoint.id,
        accessPoint.technology,
        new Date(sinceMs),
        from,
        ...linkOf(accessPoint, id),
      ],
    )
  const last = visits.at(-1)
  if (last) await insertClient(postgres, id, last.accessPoint, last.sinceMs, last.from)
  return id
}

const insertClient = (
  postgres: Client,
  id: string,
  accessPoint: CampusAccessPoint,
  sinceMs: number,
  from: string | null,
) =>
  postgres.query(
    `insert into clients
       (id, ap_id, is_attached, technology, since, claimed_at, from_ap_id, signal_dbm, snr_db, rate_mbps)
     values ($1, $2, true, $3, $4, $4, $5, $6, $7, $8) on conflict do nothing`,
    [id, accessPoint.id, accessPoint.technology, new Date(sinceMs), from, ...linkOf(accessPoint, id)],
  )

/** Signal, SNR and rate. */
function linkOf({ technology }: CampusAccessPoint, id: string): (number | null)[] {
  const spread = (Number.parseInt(id.slice(1, 5), 16) % 25) - 12
  if (technology === 'LiFi') return [null, 26 + spread / 2, 180 + 6 * spread]
  return technology === '5G'
    ? [-88 + spread, null, 210 + 8 * spread]
    : [-61 + spread, null, 390 + 12 * spread]
}

function accessPointOf(apId: string): CampusAccessPoint {
  const found = accessPoints.find(({ id }) => id === apId)
  if (!found) throw new Error(`The campus has no access point ${apId}: see tools/screenshots/campus.ts.`)
  return found
}
