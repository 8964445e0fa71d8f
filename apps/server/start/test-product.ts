import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { recordedPid, stopPostmaster } from '@trainyard/platform/server/db/embedded/postmaster.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

export const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Processes of the product. `portal` is API, worker and emulator. */
export const PARTS = ['portal', 'postgres'] as const
export type PartName = (typeof PARTS)[number]

/** The whole product, started by `npm start` without demo data, with separate data folder and ports. */
export interface Product {
  readonly dir: string
  databaseUrl(): string
  readonly portal: string
  readonly emulator: string
  start(): void
  /** Resolves when the portal has ended. */
  ended(): Promise<void>
  /** Process ID of a part, null if it does not run. */
  pidOf(part: PartName): number | null
  /** State of each part by name; null while the API does not answer. */
  health(): Promise<Record<string, string> | null>
  /** Ends all processes and deletes the data. */
  remove(): Promise<void>
}

/**
 * @param latency factor on the duration of the emulator's long-running operations
 * @param options.main entry of the product; default: that of this tree
 * @param options.args of `npm start`
 * @param options.settings in the environment
 */
export async function makeProduct(
  name: string,
  latency: number,
  {
    main = MAIN,
    args = [],
    settings = {},
  }: { readonly main?: string; readonly args?: readonly string[]; readonly settings?: NodeJS.ProcessEnv } = {},
): Promise<Product> {
  const dir = mkdtempSync(join(tmpdir(), `trainyard-${name}-`))
  // PostgreSQL may run as another user, which must be able to enter the folder.
  chmodSync(dir, 0o755)
  const [http, emulatorPort, smtp] = [await freePort(), await freePort(), await freePort()]
  const portal = `http://127.0.0.1:${http}`
  let portalProcess: ChildProcess | null = null
  const isRunning = () => portalProcess !== null && portalProcess.signalCode === null && portalProcess.exitCode === null
  const ended = async () => {
    if (isRunning()) await once(portalProcess!, 'exit')
  }
  return {
    dir,
    databaseUrl: () => embeddedPlace(dir).url,
    portal,
    emulator: `http://127.0.0.1:${emulatorPort}`,
    start() {
      portalProcess = spawn(process.execPath, [main, 'start', ...args], {
        cwd: '/',
        detached: true,
        stdio: 'ignore',
        env: {
          ...process.env,
          // The product starts without demo data, which the provider's record does not contain.
          NODE_ENV: 'production',
          TRAINYARD_DATA: dir,
          PORT: String(http),
          EMULATOR_PORT: String(emulatorPort),
          EMULATOR_SMTP_PORT: String(smtp),
          EMULATOR_LATENCY: String(latency),
          RATE_LIMIT_FACTOR: '1000',
          LOG_LEVEL: 'error',
          ...settings,
        },
      })
    },
    ended,
    pidOf: (part) =>
      part === 'postgres' ? recordedPid(embeddedPlace(dir).cluster) : isRunning() ? (portalProcess!.pid ?? null) : null,
    async health() {
      try {
        const reply = await fetch(`${portal}/api/health`, { signal: AbortSignal.timeout(5_000) })
        return ((await reply.json()) as { parts: Record<string, string> }).parts
      } catch {
        return null
      }
    },
    async remove() {
      portalProcess?.kill('SIGTERM')
      await ended()
      await stopPostmaster(embeddedPlace(dir).cluster)
      removeFolder(dir)
    },
  }
}

/** Inserts a user, if absent, with a session. Returns its token. */
export async function insertSession(
  owner: Db,
  { role, email, organisation }: { readonly role: Role; readonly email: string; readonly organisation: string | null },
): Promise<string> {
  const token = randomBytes(16).toString('hex')
  const { rows } = await sql<{ id: UserId }>`
    insert into portal_user (email, role, organisation_id, password_hash) values (${email}, ${role}, ${organisation}, null)
    on conflict (email) do update set role = excluded.role returning id`.execute(owner)
  const expires_at = new Date(Date.now() + 24 * 3_600_000)
  await owner
    .insertInto('session')
    .values({ token_hash: hashToken(token), user_id: rows[0]!.id, expires_at, confirmed_at: expires_at })
    .execute()
  return token
}
