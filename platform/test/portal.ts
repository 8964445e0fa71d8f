import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ProvidedContext } from 'vitest'
import { type App, buildApp } from '@trainyard/server/build-app.ts'
import { apiOf, type Overrides } from '@trainyard/server/compose.ts'
import { readConfig } from '../server/config/config.ts'
import { connect } from '../server/db/client.ts'
import type { Db } from '../server/db/schema.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { openSession } from '@trainyard/users/server/sessions.ts'
import { buildServer } from '../server/http/server.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './ports.ts'
import { removeFolder } from './remove-folder.ts'

type Settings = Readonly<Record<string, string>>

export interface RequestOptions {
  readonly uid?: string
  readonly query?: object
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The real server on a real database, called over HTTP. */
export interface TestPortal {
  readonly url: string
  readonly settings: Settings
  readonly app: App
  /** Connection of the database's owner, who may redefine the portal's clock. */
  readonly owner: Db
  readonly server: FastifyInstance
  request(method: string, path: string, ask?: RequestOptions): Promise<Response>
  sessionOf(email: string): Promise<string>
  close(): Promise<void>
}

/** Multiplier of deadlines, because a loaded machine that sheds calls must not fail tests of other behaviour. */
const DEADLINE_FACTOR = 100

/** Encryption key of stored secrets in every test's portal and its processes. */
const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`

/** @param template a database without connections whose content the portal starts with; default: no rows */
export async function startTestPortal(
  cluster: ProvidedContext['testCluster'],
  settings: Settings = {},
  overrides: Overrides = {},
  template?: string,
): Promise<TestPortal> {
  const database = await createTestDatabase(cluster, template)
  const portal = await startPortalOn(database.url, settings, overrides)
  return {
    ...portal,
    async close() {
      await portal.close()
      await database.drop()
    },
  }
}

/** Starts a portal on an existing database. All tests use the same key for secrets unless the settings override it. */
export async function startPortalOn(
  databaseUrl: string,
  given: Settings = {},
  overrides: Overrides = {},
): Promise<TestPortal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trainyard-portal-'))
  const settings = {
    TRAINYARD_DATA: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: String(await freePort()),
    // No server listens on these ports unless a test starts an emulator. Assertions may contain the ports.
    EMULATOR_PORT: '4010',
    EMULATOR_SMTP_PORT: '4025',
    SECRET_KEYS,
    // The number of connections is low: each new one costs as much as many queries, and deadlocks within the pool show
    // sooner.
    DATABASE_CONNECTIONS: '6',
    // A few test users send calls at a high rate.
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    ...given,
  }
  const { config, secrets } = readConfig(settings)
  const app = buildApp(config, secrets)
  const owner = connect({ connectionString: databaseUrl }, { size: 2, as: 'owner' })
  const server = await buildServer(apiOf(app, { deadlineFactor: DEADLINE_FACTOR, ...overrides }))
  const url = await server.listen(config.http)
  return {
    url,
    settings,
    app,
    owner,
    server,
    request: (method, path, { uid, query, body, headers, signal } = {}) =>
      fetch(`${url}/api${path}${query === undefined ? '' : `?${new URLSearchParams({ ...query }).toString()}`}`, {
        method,
        headers: {
          ...(uid !== undefined && { authorization: `Bearer ${uid}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal,
      }),
    async sessionOf(email) {
      const found = await findSignInUser(app.db, { email })
      return app.db.transaction().execute((tx) => openSession(tx, found!.actor.id))
    },
    async close() {
      await server.close()
      await owner.destroy()
      removeFolder(dataDir)
    },
  }
}
