import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import type { ClockMode } from '../emulator/clock/clock.ts'
import type { OrganisationId, UserId } from '../contract/words/ids.ts'
import type { Role } from '../contract/words/role.ts'
import { type Overrides, workerOf } from '@trainyard/server/compose.ts'
import { hashToken } from '../server/core/tokens.ts'
import type { Db } from '../server/db/schema.ts'
import type { Running } from '../server/run/reconcile/running.ts'
import { startWorker } from '@trainyard/server/worker.ts'
import type { Pace, WorkerDependencies } from '../server/run/parts.ts'
import { type Caller, send } from './caller.ts'
import { setPortalClock } from './clock.ts'
import { startTestEmulator, type TestEmulator } from './emulator.ts'
import { addOrganisation } from './organisation.ts'
import { startTestPortal, type TestPortal } from './portal.ts'

/** The whole portal without a browser: API, database, emulator and optional workers. */
export interface TestEnvironment extends Pick<TestEmulator, 'control' | 'truth'> {
  readonly portal: TestPortal
  readonly emulator: TestEmulator
  /** Connection of the database's owner. */
  readonly db: Db
  /** The dependencies of this environment's workers. */
  readonly parts: WorkerDependencies
  /** Bugs reported by the API and the workers; must stay empty. */
  readonly bugs: unknown[]
  /** Messages of the workers to the operator. */
  readonly messages: readonly string[]
  /** Returns the number of open connections of the API. */
  connections(): Promise<number>
  organisation(name: string): Promise<OrganisationId>
  /** Creates the user with a session. Returns a function that makes calls as this user. */
  signIn(role: Role, email: string, organisation: OrganisationId | null): Promise<Caller>
  /** Returns a new session token of an existing user, and the API's URL. */
  credentials(email: string): Promise<{ token: string; url: string }>
  worker(pace?: Partial<Pace>): Promise<Running>
  /** Returns the time of the portal's clock. */
  now(): Date
  /** Advances the portal's clock and the provider's. */
  step(seconds: number): Promise<void>
  /** Advances both clocks to the next full hour (UTC), so that daily results do not depend on the time of the run. */
  stepToHour(hour: number): Promise<void>
  stop(): Promise<void>
}

export interface EnvironmentOptions {
  /** Factor on the duration of the provider's long-running operations. */
  readonly latency?: number
  /** Mode of the provider's clock. */
  readonly clock?: ClockMode
  /** Environment variables of the portal, in addition to the emulator's. */
  readonly settings?: Readonly<Record<string, string>>
  readonly overrides?: Overrides
}

export const FAST_PACE: Pace = { concurrency: 16, leaseSeconds: 3, sweepBusy: 0.5, sweepIdle: 1 }

export async function startEnvironment({
  latency = 0,
  clock,
  settings = {},
  overrides = {},
}: EnvironmentOptions = {}): Promise<TestEnvironment> {
  const bugs: unknown[] = []
  const messages: string[] = []
  const running: Running[] = []
  const wiring: Overrides = {
    onBug: (bug) => bugs.push(bug),
    logMessage: (sentence) => messages.push(sentence),
    ...overrides,
    azure: { readEveryMs: Math.max(20, 1_000 * latency), ...overrides.azure },
  }
  const emulator = await startTestEmulator({ latency, clock })
  const portal = await startTestPortal(inject('testCluster'), { ...emulator.settings, ...settings }, wiring)
  const { owner, url } = portal
  await emulator.control('POST', '/_webhooks', { url: `${url}/api/payments/webhook` })
  const parts = await workerOf(portal.app, wiring)

  const createSession = async (user_id: UserId) => {
    const token = randomBytes(16).toString('hex')
    const expires_at = new Date(Date.now() + 365 * 24 * 3600_000)
    await owner
      .insertInto('session')
      // The session is confirmed for the whole test, because the test may advance the clock.
      .values({ token_hash: hashToken(token), user_id, expires_at, confirmed_at: expires_at })
      .execute()
    return token
  }
  let ahead = 0
  const now = () => new Date(Date.now() + ahead * 1000)
  const step = async (seconds: number) => {
    ahead += seconds
    await emulator.control('POST', '/_clock', { advanceSeconds: seconds })
    await setPortalClock(owner, { ahead })
  }
  return {
    portal,
    emulator,
    control: emulator.control,
    truth: emulator.truth,
    db: owner,
    parts,
    bugs,
    messages,
    connections: () => new Promise((resolve) => portal.server.server.getConnections((_error, count) => resolve(count))),
    organisation: (name) => addOrganisation(owner, name),
    async signIn(role, email, organisation) {
      const { id } = await sql<{ id: UserId }>`
        insert into portal_user (email, role, organisation_id, password_hash)
        values (${email}, ${role}, ${organisation}, 'none')
        on conflict (email) do update set role = excluded.role returning id`
        .execute(owner)
        .then(({ rows }) => rows[0]!)
      const token = await createSession(id)
      return (method, path, body, headers = {}) =>
        send(method, `${url}/api${path}`, body, { authorization: `Bearer ${token}`, ...headers })
    },
    async credentials(email) {
      const { id } = await owner
        .selectFrom('portal_user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      return { token: await createSession(id), url: `${url}/api` }
    },
    async worker(pace = {}) {
      const worker = await startWorker(parts, { ...FAST_PACE, ...pace })
      running.push(worker)
      return worker
    },
    now,
    step,
    async stepToHour(hour) {
      const next = new Date(now())
      next.setUTCHours(hour, 0, 0, 0)
      if (next <= now()) next.setUTCDate(next.getUTCDate() + 1)
      await step((next.getTime() - now().getTime()) / 1000)
    },
    async stop() {
      await Promise.all(running.map((worker) => worker.stop()))
      await portal.close()
      await emulator.stop()
    },
  }
}
