import { brokerManagement, sqlAt } from '@manc/harness'
import type { EngineUrls } from '../../../../../tools/engines/index.ts'

/** What is stored in the engines. */
export interface Stored {
  /** Bytes of each table with its indexes; partitions count for their table. */
  tables: Record<string, number>
  /** Messages of each queue that is not empty. */
  queues: Record<string, number>
  /** Bytes that VictoriaMetrics has on disk. */
  victoriaBytes: number
}

export async function readStored(databaseUrl: string, urls: EngineUrls): Promise<Stored> {
  const { rows } = await sqlAt(
    databaseUrl,
    `select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`,
  )
  const queues = (await brokerManagement(urls, 'GET', '/api/queues/%2F')) as {
    name: string
    messages?: number
  }[]
  const metrics = await (await fetch(`${urls.victoria}/metrics`)).text()
  const sizes = [...metrics.matchAll(/^vm_data_size_bytes\{[^}]*\} (\S+)$/gm)].map(([, size]) => Number(size))
  return {
    tables: Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])),
    queues: Object.fromEntries(
      queues.flatMap(({ name, messages = 0 }) => (messages > 0 ? [[name, messages]] : [])),
    ),
    victoriaBytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}

const toKiB = (bytes: number) => Math.round(bytes / 1024)

/** What was added: tables that grew, in KiB. */
export function growthBetween(before: Stored, after: Stored) {
  const tables = Object.entries(after.tables).map(
    ([name, bytes]) => [name, toKiB(bytes - (before.tables[name] ?? 0))] as const,
  )
  return {
    database_kib: tables.reduce((sum, [, kib]) => sum + kib, 0),
    tables_kib: Object.fromEntries(tables.filter(([, kib]) => kib > 0).sort((a, b) => b[1] - a[1])),
    victoria_kib: toKiB(after.victoriaBytes - before.victoriaBytes),
    queues: after.queues,
  }
}
