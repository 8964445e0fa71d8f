import { once } from 'node:events'
import { awaitDatabase } from '../db/await-database.ts'
import { buildServer, type ServerOptions } from '../http/server.ts'

/** Serves until SIGTERM or SIGINT and returns the exit code. Calls fail while the database is unreachable. */
export async function runApi(
  options: ServerOptions,
  at: { readonly host: string; readonly port: number },
  say: (sentence: string) => void,
): Promise<number> {
  const server = await buildServer(options)
  const stopping = new AbortController()
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]).then(() => stopping.abort())
  const refused = awaitDatabase(options.db, { say, signal: stopping.signal }).then(() => stopped)
  try {
    await Promise.all([server.listen(at), Promise.race([stopped, refused])])
    return 0
  } finally {
    stopping.abort()
    await server.close()
  }
}
