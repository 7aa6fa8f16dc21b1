import pg from 'pg'

/** Runs one statement on a connection of its own. */
export async function sqlAt(url: string, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  // A broken connection rejects the pending query. Without a listener the event would end the whole test run.
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
