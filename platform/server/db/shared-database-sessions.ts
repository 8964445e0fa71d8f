import type pg from 'pg'

/**
 * A pooler shares PostgreSQL's sessions between clients, one transaction at a time. The portal cannot work with such a
 * pooler.
 */
export class SharedDatabaseSessions extends Error {
  override readonly name = 'SharedDatabaseSessions'
}

/**
 * Number of test queries. A pooler may assign the most or the least recently used session, and this many queries detect
 * both.
 */
const TURNS = 4

/**
 * Throws if a pooler shares PostgreSQL's sessions. With such a pooler, LISTEN would receive no notifications, and
 * clients would hold each other's advisory locks.
 * @throws SharedDatabaseSessions
 */
export async function refuseSharedDatabaseSessions(client: () => pg.Client): Promise<void> {
  const clients = [client(), client()]
  const seen = clients.map(() => new Set<number>())
  try {
    await Promise.all(clients.map((each) => each.on('error', () => {}).connect()))
    for (let round = 0; round < TURNS; round++) {
      for (const [index, each] of clients.entries()) {
        const { rows } = await each.query<{ pid: number }>('select pg_backend_pid() as pid')
        seen[index]!.add(rows[0]!.pid)
      }
    }
  } finally {
    for (const each of clients) each.end().catch(() => {})
  }
  const [one, other] = seen as [Set<number>, Set<number>]
  if (one.size === 1 && other.size === 1 && ![...one].some((pid) => other.has(pid))) return
  throw new SharedDatabaseSessions(
    'A pooler between the portal and PostgreSQL assigns sessions per transaction (pool_mode = transaction). ' +
      'The portal needs sessions of its own for LISTEN and for locks: connect DATABASE_URL to PostgreSQL directly, ' +
      'or set pool_mode = session.',
  )
}
