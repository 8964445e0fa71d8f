import { once } from 'node:events'
import { awaitDatabase, refuseNewerTables } from '@trainyard/platform/server/db/await-database.ts'
import { listen } from '@trainyard/platform/server/http/connections.ts'
import type { Running } from '@trainyard/platform/server/run/reconcile/running.ts'
import { buildServer, type ServerOptions } from '@trainyard/platform/server/http/server.ts'

/** Serves the API and the web app. @throws Error of `listen`, such as EADDRINUSE */
export async function startApi(
  options: ServerOptions,
  at: { readonly host: string; readonly port: number },
): Promise<Running> {
  const server = await buildServer(options)
  try {
    await listen(server, at)
  } catch (error) {
    await server.close()
    throw error
  }
  return { stop: () => server.close() }
}

/**
 * Serves the API and the web app until SIGTERM or SIGINT, then returns the exit code. While the database is
 * unreachable, the server starts and answers every call with that error.
 * @param logMessage reports on the terminal that the server waits for the database
 * @param prepare runs when the database answers; throws if the configured keys do not decrypt the stored secrets
 */
export async function runApi(
  options: ServerOptions,
  at: { readonly host: string; readonly port: number },
  logMessage: (sentence: string) => void,
  prepare: () => Promise<void>,
): Promise<number> {
  const stopping = new AbortController()
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]).then(() => stopping.abort())
  const api = await startApi(options, at)
  const refused = awaitDatabase(options.db, { logMessage, signal: stopping.signal })
    .then(() => (stopping.signal.aborted ? undefined : prepare()))
    .then(() => stopped)
  try {
    await Promise.race([stopped, refused, refuseNewerTables(options.db, stopping.signal).then(() => stopped)])
    return 0
  } finally {
    stopping.abort()
    await api.stop()
  }
}
