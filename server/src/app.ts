import { fileURLToPath } from 'node:url'
import type { Config, Secrets } from './config.ts'
import { connect } from './db/client.ts'
import type { Db } from './db/schema.ts'
import { organisationHandlers } from './domain/organisation/http.ts'
import { templateHandlers } from './domain/template/http.ts'
import { userHandlers } from './domain/user/http.ts'
import { sessionHandlers } from './domain/user/session-http.ts'
import { SESSION_SECONDS } from './domain/user/sessions.ts'
import type { Handlers } from './http/handler.ts'
import { healthHandlers } from './http/health.ts'
import type { ServerOptions } from './http/server.ts'
import { makeSeal, type Seal } from './secrets/seal.ts'

/** What every part of the portal works with. */
export interface App {
  readonly config: Config
  readonly db: Db
  readonly seal: Seal
}

/** Connections to the database that one process holds at most. */
const CONNECTIONS = 16

export function buildApp(config: Config, secrets: Secrets): App {
  return {
    config,
    db: connect({ connectionString: secrets.databaseUrl }, { size: CONNECTIONS, as: 'app' }),
    seal: makeSeal(secrets.keys),
  }
}

/** Every call's handler. They are given no cloud: they change what is wanted. */
export const handlersOf = ({ seal }: App): Partial<Handlers> => ({
  session: sessionHandlers({ seal }),
  organisation: organisationHandlers,
  user: userHandlers,
  template: templateHandlers,
  health: healthHandlers,
})

export const serverOptionsOf = (app: App): ServerOptions => ({
  db: app.db,
  handlers: handlersOf(app),
  logger: { level: app.config.logLevel },
  publicUrl: app.config.http.publicUrl,
  webDir: fileURLToPath(new URL('../../web/dist', import.meta.url)),
  fingerprint: (text) => Buffer.from(app.seal.token('idempotency', text), 'base64url'),
  sessionSeconds: SESSION_SECONDS,
})
