import { once } from 'node:events'
import { buildServer, type ServerOptions } from './http/server.ts'

/** Serves the API and the web app until a signal ends it. Answers the exit code. */
export async function runApi(
  options: ServerOptions,
  at: { readonly host: string; readonly port: number },
): Promise<number> {
  const server = await buildServer(options)
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  try {
    await server.listen(at)
    await stopped
    return 0
  } finally {
    await server.close()
  }
}
