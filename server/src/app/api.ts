import { once } from 'node:events'
import { awaitDatabase } from '../db/await-database.ts'
import { buildServer, type ServerOptions } from '../http/server.ts'

/**
 * Maximum number of connections that wait to be accepted. Linux limits it to net.core.somaxconn, 4096 by default. Beyond
 * the maximum, a client tries again only after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096

/**
 * Serves the API and the web app until SIGTERM or SIGINT, then returns the exit code. While the database is
 * unreachable, the server starts and answers every call with that error.
 * @param logMessage reports on the terminal that the server waits for the database
 * @param checkKeys throws if the configured keys do not decrypt the stored secrets
 */
export async function runApi(
  options: ServerOptions,
  at: { readonly host: string; readonly port: number },
  logMessage: (sentence: string) => void,
  checkKeys: () => Promise<void>,
): Promise<number> {
  const server = await buildServer(options)
  const stopping = new AbortController()
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]).then(() => stopping.abort())
  const refused = awaitDatabase(options.db, { logMessage, signal: stopping.signal })
    .then(() => (stopping.signal.aborted ? undefined : checkKeys()))
    .then(() => stopped)
  try {
    await Promise.all([server.listen({ ...at, backlog: BACKLOG }), Promise.race([stopped, refused])])
    return 0
  } finally {
    stopping.abort()
    await server.close()
  }
}
