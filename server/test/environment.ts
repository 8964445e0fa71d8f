import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { startEmulator } from '@trainyard/emulator/emulator.ts'
import type { OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import { callHandlers } from '../src/calls.ts'
import { connect } from '../src/db/client.ts'
import { createTestDatabase } from './database.ts'
import type { Db } from '../src/db/schema.ts'
import { setPortalClock } from './clock.ts'
import { followMachineChanges } from '../src/domain/machine/changes.ts'
import { captureImage } from '../src/domain/image/jobs.ts'
import { hashToken } from '../src/core/tokens.ts'
import { buildServer } from '../src/http/server.ts'
import { testAwsUsers } from '../src/providers/aws/test-aws.ts'
import type { AzureSettings } from '../src/providers/azure/clients.ts'
import { azureCloud } from '../src/providers/azure/cloud.ts'
import { emulatorCredential } from '../src/providers/azure/credentials.ts'
import { emulatedRecord } from '../src/providers/emulated-record/power-record.ts'
import { sshShells } from '../src/providers/ssh/shells.ts'
import { serveRemote } from '../src/remote/gateway.ts'
import { razorpayPayments } from '../src/providers/razorpay/payments.ts'
import { emulatedRazorpay } from '../src/providers/razorpay/test-merchant.ts'
import { proofOf } from '../src/secrets/proof.ts'
import { makeSeal } from '../src/secrets/seal.ts'
import { testAzureLabs } from './azure-labs.ts'
import type { Caller, Reply } from './caller.ts'
import { template } from './orders.ts'
import { jobsIn } from '../src/worker/jobs.ts'
import type { Running } from '../src/reconcile/loop.ts'
import { startWorker } from '../src/worker.ts'
import type { Pace, WorkerParts } from '../src/worker/parts.ts'

export interface TestEnvironment {
  /** As the database's owner. */
  readonly db: Db
  readonly databaseUrl: string
  /** Connections that the API has open. */
  connections(): Promise<number>
  /** As API and worker log in. */
  readonly appUrl: string
  readonly emulatorUrl: string
  readonly parts: WorkerParts
  /** What went wrong in a worker that was no last_error of the cloud's: should stay empty. */
  readonly faults: unknown[]
  /** What the workers told whoever runs the portal. */
  readonly said: readonly string[]
  organisation(name: string): Promise<OrganisationId>
  /** Signs somebody in; answers what makes calls as them. */
  as(role: Role, email: string, organisation: OrganisationId | null): Promise<Caller>
  /** A session's token for somebody who has an account, and where calls go. */
  credentials(email: string): Promise<{ token: string; url: string }>
  worker(pace?: Partial<Pace>): Promise<Running>
  control(method: string, path: string, body?: unknown): Promise<Reply>
  truth(): Promise<Truth>
  /** The portal's clock. */
  now(): Date
  /** Moves the portal's clock and the provider's ahead, both by the same. */
  step(seconds: number): Promise<void>
  /** Moves both on to the next such full hour of UTC: what counts by days sees the same whenever it is run. */
  stepToHour(hour: number): Promise<void>
  stop(): Promise<void>
}

export interface Truth {
  readonly machines: readonly {
    readonly name: string
    readonly exists: boolean
    readonly power: string | null
    readonly tags: Record<string, string>
    readonly billed: readonly { readonly from: string; readonly to: string | null }[]
  }[]
  readonly addresses: readonly { readonly name: string }[]
  readonly networkInterfaces: readonly { readonly name: string }[]
  readonly disks: readonly { readonly name: string }[]
}

export const KEY = { id: 'test', bytes: Buffer.alloc(32, 7) }
export const QUICK: Pace = { concurrency: 16, leaseSeconds: 3, sweepBusy: 0.5, sweepIdle: 1 }

/** The whole portal but the browser: API, database, emulator and, where asked for, workers. */
export async function startEnvironment(
  options: {
    azureHttp?: AzureSettings['http']
    latency?: number
    azureLabs?: true
    awsPool?: readonly string[]
    sshProxy?: string
  } = {},
): Promise<TestEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'trainyard-environment-'))
  const emulator = await startEmulator({ port: 0, smtpPort: 0, dataDir, latency: options.latency ?? 0, clock: 'real' })
  const database = await createTestDatabase(inject('testCluster'))
  const connection = { connectionString: database.appUrl }
  const owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
  const db = connect(connection, { size: 16, as: 'app' })
  const seal = makeSeal([KEY])
  const changes = followMachineChanges(connection)
  const jobs = jobsIn(db)
  const payments = razorpayPayments(emulatedRazorpay(emulator.url))
  const handlers = callHandlers({
    seal,
    jobs,
    changes,
    payments,
    remotePage: '/remote/',
    azure: { portalUrl: 'https://portal.azure.com', sandboxLimit: null, labDomain: 'labs.test' },
    aws: {
      labDomain: 'aws.labs.test',
      pool: options.awsPool ?? [],
      consoleUrl: (account) => `${emulator.url}/aws/signin?account=${account}`,
    },
    prove: (nonce) => proofOf(seal, null, nonce),
  })
  const server = await buildServer({
    db,
    handlers,
    logger: false,
    publicUrl: 'http://127.0.0.1',
    webDir: dataDir,
    fingerprint: (text) => hashToken(text),
    sessionSeconds: 3600,
    browserOf: () => null,
    trustedProxies: ['loopback'],
    checkout: payments.checkout,
    beside: (fastify, refusals) =>
      serveRemote(fastify, {
        refusals,
        db,
        seal,
        changes,
        shells: sshShells({ proxy: options.sshProxy ?? emulator.url }),
        publicUrl: 'http://127.0.0.1',
        trustedProxies: ['loopback'],
        onFault: (fault) => faults.push(fault),
      }),
    close: async () => {},
  })
  const api = await server.listen({ port: 0, host: '127.0.0.1' })
  await send('POST', `${emulator.url}/_webhooks`, { url: `${api}/api/payments/webhook` }, {})
  const faults: unknown[] = []
  const said: string[] = []
  const running: Running[] = []
  const cloud = azureCloud({
    subscriptionId: '00000000-0000-4000-8000-000000000001',
    credential: emulatorCredential(),
    emulatorUrl: emulator.url,
    lookEveryMs: Math.max(20, 1_000 * (options.latency ?? 0)),
    ...(options.azureHttp === undefined ? {} : { http: options.azureHttp }),
  })
  const parts: WorkerParts = {
    db,
    connection,
    seal,
    payments,
    cloud,
    jobs: {
      'machine.capture': captureImage({ db, cloud }),
      'user.invite': async () => {},
      'azureUser.invite': async () => {},
      'awsUser.invite': async () => {},
    },
    aws: testAwsUsers(emulator.url),
    azureLabs: options.azureLabs === true ? testAzureLabs(emulator.url) : null,
    powerRecord: emulatedRecord(emulator.url),
    mail: { host: '127.0.0.1', port: emulator.smtpPort },
    onFault: (fault) => faults.push(fault),
    say: (sentence) => said.push(sentence),
  }
  const control = (method: string, path: string, body?: unknown) => send(method, emulator.url + path, body, {})
  const signIn = async (user_id: UserId) => {
    const token = randomBytes(16).toString('hex')
    const expires_at = new Date(Date.now() + 365 * 24 * 3600_000)
    await owner
      .insertInto('session')
      .values({ token_hash: hashToken(token), user_id, expires_at })
      .execute()
    return token
  }
  let ahead = 0
  const now = () => new Date(Date.now() + ahead * 1000)
  const step = async (seconds: number) => {
    ahead += seconds
    await control('POST', '/_clock', { advanceSeconds: seconds })
    await setPortalClock(owner, { ahead })
  }
  return {
    db: owner,
    databaseUrl: database.url,
    connections: () => new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count))),
    appUrl: database.appUrl,
    emulatorUrl: emulator.url,
    parts,
    faults,
    said,
    control,
    async organisation(name) {
      const { id } = await owner
        .insertInto('organisation')
        .values({ name, logo: null })
        .returning('id')
        .executeTakeFirstOrThrow()
      await owner
        .insertInto('template')
        .values(template())
        .onConflict((on) => on.doNothing())
        .execute()
      await sql`insert into template_assignment (organisation_id, template_id) select ${id}, id from template`.execute(
        owner,
      )
      return id
    },
    async as(role, email, organisation) {
      const { id } = await sql<{ id: UserId }>`
        insert into portal_user (email, role, organisation_id, password_hash)
        values (${email}, ${role}, ${organisation}, 'none')
        on conflict (email) do update set role = excluded.role returning id`
        .execute(owner)
        .then(({ rows }) => rows[0]!)
      const token = await signIn(id)
      return (method, path, body, headers = {}) =>
        send(method, `${api}/api${path}`, body, { authorization: `Bearer ${token}`, ...headers })
    },
    async credentials(email) {
      const { id } = await owner
        .selectFrom('portal_user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      return { token: await signIn(id), url: `${api}/api` }
    },
    async worker(pace = {}) {
      const worker = await startWorker(parts, { ...QUICK, ...pace })
      running.push(worker)
      return worker
    },
    truth: async () => (await control('GET', '/_truth')).body as Truth,
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
      await changes.close()
      await server.close()
      await jobs.stop()
      await db.destroy()
      await owner.destroy()
      await emulator.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Waits until something holds, asking again and again; fails with what it last saw. */
export async function until<T>(
  what: string,
  see: () => Promise<T>,
  holds: (seen: T) => boolean,
  ms = 15_000,
): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const seen = await see()
    if (holds(seen)) return seen
    if (Date.now() > end)
      throw new Error(`Waited ${ms} ms in vain until ${what}: ${JSON.stringify(seen).slice(0, 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function send(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
