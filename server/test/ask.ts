import pg from 'pg'

/** Asks a database that may be ended meanwhile, over a connection of its own. */
export async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
