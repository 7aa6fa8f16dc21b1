import { setTimeout as sleep } from 'node:timers/promises'
import { accessPointName, ClientPublisher, clientName, isQuick, MovingClients } from '@manc/harness/load'
import pg from 'pg'
import { type Bench, percentile, rounded, takeTurns } from './bench.ts'
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts'

const movesPerSecond = 1000
/** All access points send a snapshot within this time. */
const snapshotS = 20
const readIntervalMs = 100
const settleMs = 60_000
const batchOfTurn = 10_000

/**
 * 100,000 clients at 1,000 access points, of which 1,000 move every second, while lists are read; then the state of the
 * controller must be equal. The ratio is the rate of moves, from the broker to the committed rows, against PostgreSQL that
 * writes the same rows in batches of 1,000.
 */
export const clients: Bench = async ({ quick: isFlagged, minutes, log }) => {
  const quick = isFlagged || isQuick
  const size = quick ? { clients: 10_000, accessPoints: 200 } : { clients: 100_000, accessPoints: 1000 }
  const seconds = quick ? 20 : (minutes ?? 5) * 60
  const environment = await createBenchEnvironment(log, { variables: { MANC_CLIENT_IDS: 'clear' } })
  const database = new pg.Client({ connectionString: environment.databaseUrl })
  await database.connect()
  const publisher = await ClientPublisher.open(environment.rabbitmqUrl)
  try {
    const names = Array.from({ length: size.accessPoints }, (_, n) => accessPointName(n))
    await database.query(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), ap_id, 'x', '{}' from unnest($1::text[]) as ap_id`,
      [names],
    )
    await database.query(`insert into fleet (ap_id, technology) select ap_id, 'WiFi' from agents`)
    const moving = new MovingClients(size.clients, size.accessPoints)
    log(`attaching ${size.clients} clients to ${size.accessPoints} access points …`)
    const attachedAt = performance.now()
    await publisher.publish(moving.snapshots(size.accessPoints))
    await untilEqual(database, moving)
    const attachS = (performance.now() - attachedAt) / 1000
    log(`attached in ${rounded(attachS, 1)} s; ${movesPerSecond} moves/s for ${seconds} s …`)
    const load = await moveAndRead({ environment, publisher, moving, seconds, ...size })
    const settledAt = performance.now()
    const differing = await untilEqual(database, moving)
    const settledS = (performance.now() - settledAt) / 1000
    const { rows } = await database.query<{ moves: number }>(
      `select count(*)::int as moves from client_history where ended = 'moved'`,
    )
    const turns = await takeTurns({
      rounds: quick ? 3 : 7,
      ours: async () => {
        const before = [...moving.at]
        const startedAt = performance.now()
        for (let moved = 0; moved < batchOfTurn; moved += movesPerSecond)
          await publisher.publish(moving.move(movesPerSecond))
        await untilMoved(database, moving, before)
        const tookMs = performance.now() - startedAt
        if ((await untilEqual(database, moving)) > 0) throw new Error('the state of the controller differs')
        return (batchOfTurn / tookMs) * 1000
      },
      bare: () => writeBare(database, moving),
      log,
    })
    return {
      ...turns,
      clients: size.clients,
      access_points: size.accessPoints,
      attached_s: rounded(attachS, 1),
      seconds,
      ...load,
      settled_s: rounded(settledS, 1),
      differing,
      history_of_moves: rows[0]?.moves,
    }
  } finally {
    await publisher.close()
    await database.end()
    await environment.end()
  }
}

interface Load {
  environment: BenchEnvironment
  publisher: ClientPublisher
  moving: MovingClients
  seconds: number
  accessPoints: number
}

async function moveAndRead({ environment, publisher, moving, seconds, accessPoints }: Load) {
  const latencies: number[] = []
  const stopping = new AbortController()
  const reading = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      latencies.push(await read(environment, queryOf(n, accessPoints)))
      await sleep(readIntervalMs)
    }
  })()
  const startedAt = performance.now()
  for (let s = 1; s <= seconds; s++) {
    await publisher.publish([
      ...moving.move(movesPerSecond),
      ...moving.snapshots(Math.ceil(accessPoints / snapshotS)),
    ])
    await sleep(Math.max(0, startedAt + s * 1000 - performance.now()))
  }
  const tookS = (performance.now() - startedAt) / 1000
  stopping.abort()
  await reading
  return {
    moves_per_s: Math.round((seconds * movesPerSecond) / tookS),
    reads: latencies.length,
    list_p50_ms: rounded(percentile(latencies, 0.5), 1),
    list_p99_ms: rounded(percentile(latencies, 0.99), 1),
  }
}

/** The lists in turn: by id, the newest, of one access point, by the begin of the id. */
function queryOf(n: number, accessPoints: number): string {
  const random = Math.floor(Math.random() * accessPoints)
  return [
    `/clients?limit=100&after=${clientName(random)}`,
    '/clients?limit=100&sort=since',
    `/agents/${accessPointName(random)}/clients`,
    `/clients?limit=100&technology=WiFi&q=${clientName(random)}`,
    `/clients/${clientName(random)}`,
  ][n % 5] as string
}

async function read({ server, token }: BenchEnvironment, query: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${server.url}/api/v1${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.text()
  if (response.status !== 200) throw new Error(`${query}: ${response.status}`)
  return performance.now() - startedAt
}

/** Waits for some of the clients that have moved: to read all of them would take longer than to move them. */
async function untilMoved(database: pg.Client, { at }: MovingClients, before: number[]): Promise<void> {
  const moved = before.flatMap((accessPoint, client) => (at[client] === accessPoint ? [] : [client]))
  const some = moved.filter((_, n) => n % 20 === 0)
  const places = some.map((client) => [clientName(client), accessPointName(at[client] as number)])
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; await sleep(10)) {
    const { rows } = await database.query<{ arrived: number }>(
      `select count(*)::int as arrived from clients
       join unnest($1::text[], $2::text[]) as expected (id, ap_id) using (id, ap_id) where is_attached`,
      [places.map(([id]) => id), places.map(([, apId]) => apId)],
    )
    if (rows[0]?.arrived === some.length) return
  }
}

/** Waits until the controller has the same attachments. Returns how many differ: 0, or it took too long. */
async function untilEqual(database: pg.Client, { at }: MovingClients): Promise<number> {
  let differing = at.length
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; await sleep(50)) {
    const { rows } = await database.query<{ id: string; ap_id: string }>(
      'select id, ap_id from clients where is_attached',
    )
    const found = new Map(rows.map(({ id, ap_id: apId }) => [id, apId]))
    // Missing ones, those at another access point, and those that should not exist.
    differing = 0
    for (const [client, accessPoint] of at.entries()) {
      if (found.get(clientName(client)) !== accessPointName(accessPoint)) differing += 1
      found.delete(clientName(client))
    }
    differing += found.size
    if (differing === 0) return 0
  }
  return differing
}

/** What a batch writes, without reading, rules or messages. Ends in the same state as before. */
async function writeBare(database: pg.Client, { at }: MovingClients): Promise<number> {
  const startedAt = performance.now()
  for (let moved = 0; moved < batchOfTurn; moved += movesPerSecond) {
    const ids = Array.from({ length: movesPerSecond }, () => Math.floor(Math.random() * at.length))
    const unique = [...new Set(ids)]
    const apIds = unique.map((client) => accessPointName(at[client] as number))
    await database.query('begin')
    await database.query(
      `update clients set ap_id = new.ap_id, since = clients.since, claimed_at = clients.claimed_at
       from unnest($1::text[], $2::text[]) as new (id, ap_id) where clients.id = new.id`,
      [unique.map(clientName), apIds],
    )
    await database.query(
      `insert into client_history (client_id, ap_id, technology, since, until, ended)
       select id, ap_id, 'WiFi', now(), now(), 'bare' from unnest($1::text[], $2::text[]) as new (id, ap_id)`,
      [unique.map(clientName), apIds],
    )
    await database.query(
      'update client_access_points set reported_at = reported_at where ap_id = any($1::text[])',
      [[...new Set(apIds)]],
    )
    await database.query('commit')
  }
  return (batchOfTurn / (performance.now() - startedAt)) * 1000
}
