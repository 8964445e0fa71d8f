import type pg from 'pg'

/** A pooler lends PostgreSQL's sessions by the transaction, and the portal must not work through it. */
export class SharedSessions extends Error {
  override readonly name = 'SharedSessions'
}

/** A pooler may give the session that was used last, or that was used longest ago: either shows in so many turns. */
const TURNS = 4

/**
 * Refuses a way to the database on which connections take turns at PostgreSQL's sessions. What the portal tells its
 * session would be told to whoever comes next: LISTEN is heard by nobody, and locks are held by everybody.
 * @throws SharedSessions
 */
export async function refuseSharedSessions(client: () => pg.Client): Promise<void> {
  const clients = [client(), client()]
  const seen = clients.map(() => new Set<number>())
  try {
    await Promise.all(clients.map((each) => each.on('error', () => {}).connect()))
    for (let turn = 0; turn < TURNS; turn++) {
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
  throw new SharedSessions(
    'A pooler stands between the portal and PostgreSQL and lends sessions by the transaction (pool_mode = transaction). ' +
      'The portal listens and holds locks in its sessions: let DATABASE_URL lead to PostgreSQL itself, ' +
      'or set pool_mode = session.',
  )
}
