import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { endProcessesIn, recordedPid } from '@trainyard/platform/server/db/embedded/cluster.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { type Run, type RunOptions, startRun } from './test-run.ts'

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

/** @param latency factor on the duration of the emulator's long-running operations */
export async function makeProduct(
  name: string,
  latency: number,
  { settings, ...options }: RunOptions = {},
): Promise<Product> {
  const dir = mkdtempSync(join(tmpdir(), `trainyard-${name}-`))
  // PostgreSQL may run as another user, which must be able to enter the folder.
  chmodSync(dir, 0o755)
  const ports = { http: await freePort(), emulator: await freePort(), smtp: await freePort() }
  const portal = `http://127.0.0.1:${ports.http}`
  let run: Run | null = null
  const isRunning = () => run !== null && run.child.signalCode === null && run.child.exitCode === null
  const ended = async () => void (await run?.ended)
  return {
    dir,
    databaseUrl: () => embeddedPlace(dir).url,
    portal,
    emulator: `http://127.0.0.1:${ports.emulator}`,
    start() {
      run = startRun(dir, ports, {
        ...options,
        settings: { EMULATOR_LATENCY: String(latency), RATE_LIMIT_FACTOR: '1000', ...settings },
      })
    },
    ended,
    pidOf: (part) =>
      part === 'postgres' ? recordedPid(embeddedPlace(dir).cluster) : isRunning() ? (run!.child.pid ?? null) : null,
    async health() {
      try {
        const reply = await fetch(`${portal}/api/health`, { signal: AbortSignal.timeout(5_000) })
        return ((await reply.json()) as { parts: Record<string, string> }).parts
      } catch {
        return null
      }
    },
    async remove() {
      run?.child.kill('SIGTERM')
      await ended()
      await endProcessesIn(embeddedPlace(dir).cluster)
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
