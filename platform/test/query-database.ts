import pg from 'pg'

/** Queries a database that may be stopped concurrently, over a separate connection. */
export async function queryDatabase(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
