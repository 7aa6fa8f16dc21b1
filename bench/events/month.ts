import pg from 'pg'

const days = 29
const dayS = 86_400
/** Two cores: more would wait for each other. */
const connections = 2

/**
 * The events of the days before yesterday, in partitions as the product makes them. Rows are written before a partition has indexes,
 * which is faster. Returns the size on disk in bytes.
 */
export async function storeMonth(options: {
  databaseUrl: string
  rows: number
  agents: number
  log: (line: string) => void
}): Promise<number> {
  const { databaseUrl, rows, agents, log } = options
  const todayS = Math.floor(Date.now() / 1000 / dayS) * dayS
  const left = Array.from({ length: days }, (_, n) => todayS - (n + 2) * dayS)
  const perDay = Math.ceil(rows / days)
  const sizes = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      try {
        await client.query(`set maintenance_work_mem = '256MB'; set synchronous_commit = off`)
        let bytes = 0
        for (let fromS = left.shift(); fromS !== undefined; fromS = left.shift()) {
          bytes += await storeDay(client, { fromS, rows: perDay, agents })
          if (left.length % 5 === 0) log(`${left.length} of ${days} days are left`)
        }
        return bytes
      } finally {
        await client.end()
      }
    }),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

async function storeDay(
  client: pg.Client,
  { fromS, rows, agents }: { fromS: number; rows: number; agents: number },
): Promise<number> {
  const name = `events_${fromS}`
  const at = (seconds: number) => new Date(seconds * 1000).toISOString()
  await client.query(`create table ${name} (like events including defaults)`)
  await client.query(
    `insert into ${name} (at, kind, severity, ap_id, data)
     select $1::timestamptz + make_interval(secs => n * ${dayS}.0 / $2),
       (array['online', 'stale', 'offline', 'command'])[1 + n % 4],
       (array['info', 'warning', 'critical', 'info'])[1 + n % 4],
       'ap-' || (n::int8 * 7919 % $3::int8), json_build_object('n', n)
     from generate_series(0, $2::int - 1) as n`,
    [at(fromS), rows, agents],
  )
  await createIndexes(client, name)
  await client.query(
    `alter table events attach partition ${name} for values from ('${at(fromS)}') to ('${at(fromS + dayS)}')`,
  )
  await client.query(`vacuum analyze ${name}`)
  const { rows: sizes } = await client.query<{ bytes: string }>(
    'select pg_total_relation_size($1::regclass) as bytes',
    [name],
  )
  return Number(sizes[0]?.bytes)
}

/** Those of the partitioned table, of which this one will be a part. Created there, they would block the other connection. */
async function createIndexes(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ index: string; definition: string }>(
    `select indexname as index, indexdef as definition from pg_indexes where tablename = 'events'`,
  )
  for (const { index, definition } of rows)
    await client.query(
      definition.replace(` ${index} `, ` ${name}_${index} `).replace(/ ON ONLY \S+ /, ` ON ${name} `),
    )
}
