import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { migrateDatabase } from '@trainyard/server/start/migrate-database.ts'
import '@trainyard/platform/test/connect-modules.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sessionOf } from '@trainyard/platform/test/session-of.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT = 60_000
const API_ARGS = ['apps/server/main.ts', 'api']

export interface Api {
  /** Returns a function that calls a path and returns the reply and its duration in ms. */
  as(email: string): Promise<(path: string) => Promise<{ ms: number; bytes: number; body: unknown }>>
  session(email: string): Promise<string>
  readonly url: string
  readonly databaseUrl: string
  readonly pid: number
  stop(): Promise<void>
}

export async function startApi(
  dataDir: string,
  extraEnvironment: Readonly<Record<string, string>> = {},
  args: readonly string[] = API_ARGS,
): Promise<Api> {
  const embedded = await startEmbedded(dataDir)
  const { secrets } = readConfig({ TRAINYARD_DATA: dataDir })
  await migrateDatabase(secrets)
  const api = await startApiOnDatabase(dataDir, extraEnvironment, root, args)
  return {
    ...api,
    async stop() {
      await api.stop()
      await embedded.stop()
    },
  }
}

/**
 * Starts an API on the running embedded database of a data folder.
 * @param sources folder with the sources to run, for comparisons with another version
 * @param args arguments of Node
 */
export async function startApiOnDatabase(
  dataDir: string,
  extraEnvironment: Readonly<Record<string, string>> = {},
  sources = root,
  args: readonly string[] = API_ARGS,
): Promise<Api> {
  const { secrets } = readConfig({ TRAINYARD_DATA: dataDir })
  const db = connect({ connectionString: secrets.databaseUrl }, { size: 1, as: 'app' })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/api`
  const child = spawn(process.execPath, args, {
    cwd: sources,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      TRAINYARD_DATA: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_FACTOR: '100000',
      ...extraEnvironment,
    },
  })
  await waitForReply(`${url}/health`, child)
  const session = (email: string) => sessionOf(db, email)
  return {
    url,
    databaseUrl: secrets.databaseUrl,
    pid: child.pid!,
    session,
    async as(email) {
      const token = await session(email)
      return async (path) => {
        const startedAt = performance.now()
        const reply = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
        const text = await reply.text()
        const ms = performance.now() - startedAt
        if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${text}`)
        return { ms, bytes: text.length, body: JSON.parse(text) as unknown }
      }
    },
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      await db.destroy()
    },
  }
}

async function waitForReply(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_LIMIT
  while (Date.now() < end && child.exitCode === null) {
    // Without a worker the health check fails, but any reply shows that the API is up.
    if ((await fetch(url).catch(() => null)) !== null) return
    await pause(50)
  }
  child.kill('SIGTERM')
  throw new Error('The API did not start.')
}
