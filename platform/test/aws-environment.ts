import { IAMClient } from '@aws-sdk/client-iam'
import { portalKey } from '@trainyard/sandbox-aws/emulator/cloud.ts'
import { recordAws } from '../emulator/test/aws-recorder.ts'
import { workerOf } from '@trainyard/server/compose.ts'
import type { Db } from '../server/db/schema.ts'
import type { AwsUserRow } from '@trainyard/lab-users/tables.gen.ts'
import { brokenInvariants } from '../server/invariants/check.ts'
import { CloudError } from '../server/providers/errors.ts'
import { bodyText, type Wire } from '@trainyard/sandbox-aws/server/wire.ts'
import { queueOf } from '../server/run/reconcile/claim.ts'
import { workOn } from '../server/run/reconcile/work.ts'
import { createAwsUser } from '@trainyard/sandbox-aws/server/aws/create-user.ts'
import { renewAwsUser } from '@trainyard/sandbox-aws/server/aws/renew-user.ts'
import { reclaimAwsAccounts } from '@trainyard/sandbox-aws/server/aws/lease.ts'
import { removeOrphans } from '@trainyard/sandbox-aws/server/aws/orphans.ts'
import { awsUserKind } from '@trainyard/sandbox-aws/server/aws/step.ts'
import { endAwsUsers, endExpiredAwsUsers } from '@trainyard/sandbox-aws/server/aws/wake.ts'
import { startEnvironment } from './environment.ts'

interface TrueUser {
  readonly account: string
  readonly name: string
  readonly exists: boolean
  readonly hasLogin: boolean
  readonly keys: number
  readonly activeKeys: number
  readonly hasAccess: boolean
  readonly inlinePolicies: readonly string[]
  readonly boundary: string | null
}

/**
 * Call to AWS: its subject, its time by the portal's clock in milliseconds, and the end of the pause that AWS
 * requested.
 */
interface Call {
  readonly operation: string
  readonly about: string
  readonly at: number
  readonly pauseUntil: number | null
}

/** AWS lab users on a real database and an emulator, with a stepped clock. */
export interface AwsLabs {
  readonly db: Db
  readonly calls: readonly Call[]
  readonly bugs: unknown[]
  /** An IAM client with the portal's key, for changes made outside the portal. */
  readonly iam: IAMClient
  readonly watch: ReturnType<typeof recordAws>
  readonly url: string
  add(username: string, options?: { days?: number; pool?: readonly string[] }): Promise<void>
  /** Returns the message. */
  renew(username: string, days: number): Promise<string>
  remove(usernames: readonly string[]): Promise<void>
  row(username: string): Promise<AwsUserRow>
  rows(): Promise<AwsUserRow[]>
  /** Advances the time and runs everything that becomes due; calls `each` after every step of some seconds. */
  advance(seconds: number, each?: () => Promise<void>): Promise<void>
  /** Advances the clocks to an instant (ms) without running due work. */
  skipTo(instant: number): Promise<void>
  /** Kills the worker that makes this call, either before the request is sent or before its response is read. */
  killAt(operation: string, about: string, moment: 'before' | 'after'): void
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>
  clearFaults(): Promise<void>
  /** Deletes a user, and everything attached to the user, directly at AWS. */
  vanish(username: string): Promise<void>
  /** Creates a user under our path that has no row. */
  leaveOrphan(account: string, username: string): Promise<void>
  truth(): Promise<{ users: TrueUser[]; accounts: { id: string; parent: string }[] }>
  /** Returns the violated invariants; requires that no work is in progress. */
  broken(): Promise<unknown[]>
  now(): number
  stop(): Promise<void>
}

const LEASE_SECONDS = 20
const STEP_SECONDS = 10
const ORPHANS_SECONDS = 600
/** Timeout for calls that an injected fault makes hang. Other calls keep the normal timeout. */
const HANGS_MS = 150

export async function startAwsLabs(): Promise<AwsLabs> {
  const watch = recordAws()
  const calls: Call[] = []
  const hanging: { operation: string; name: string; times?: number }[] = []
  const deaths: { operation: string; about: string; moment: 'before' | 'after' }[] = []
  /** Resolvers by user that signal the death of the worker. */
  const dying = new Map<string, () => void>()
  let orphansDue = 0
  const now = () => env.now().getTime()

  /** Records and checks every message. A call whose worker must die never settles. */
  const recording = (wire: Wire): Wire => {
    return async (request, signal) => {
      const body = bodyText(request)
      const { operation, about } = callIn(request.headers, body)
      const death = deaths.findIndex((each) => each.operation === operation && each.about === about)
      const [dies] = death < 0 ? [] : deaths.splice(death, 1)
      const die = () => {
        dying.get(about)?.()
        return new Promise<never>(() => {})
      }
      if (dies?.moment === 'before') await die()
      let reply: Awaited<ReturnType<Wire>> | null = null
      try {
        const hangs = hanging.find((each) => each.operation === operation && isNamed(each.name, about))
        if (hangs === undefined) return (reply = await wire(request, signal))
        if (hangs.times !== undefined) hanging.splice(hanging.indexOf(hangs), 1)
        return (reply = await wire(request, AbortSignal.any([signal, AbortSignal.timeout(HANGS_MS)])))
      } finally {
        const wait = Number(reply?.headers['retry-after'] ?? Number.NaN)
        calls.push({ operation, about, at: now(), pauseUntil: Number.isNaN(wait) ? null : now() + wait * 1000 })
        const spoilt = reply !== null && reply.status < 300 && !/(?:Response>|^|[}\]])$/.test(reply.body.trimEnd())
        watch.record({ headers: request.headers, body, reply: spoilt ? null : reply })
        if (dies !== undefined) await die()
      }
    }
  }
  const env = await startEnvironment({ overrides: { aws: { http: recording } } })
  const { emulator, bugs, db: owner } = env
  const { db, seal } = env.parts
  const aws = env.parts.aws!
  /** Adapter that does not record. */
  const unrecorded = (await workerOf(env.portal.app)).aws!
  const kind = awsUserKind({ aws, seal })
  const awsUserRows = queueOf<AwsUserRow>('aws_user')
  const idOf = (username: string) =>
    db.selectFrom('aws_user').selectAll().where('username', '=', username).executeTakeFirstOrThrow()

  async function workUntilIdle(): Promise<void> {
    for (;;) {
      await endExpiredAwsUsers(db)
      const claimed = await awsUserRows.claimDue(db, 64, LEASE_SECONDS)
      if (claimed.length === 0) return
      const signal = new AbortController().signal
      // The test does not wait for a dead worker: its lease expires, and another worker takes over.
      await Promise.all(
        claimed.map((row) => {
          const death = new Promise<void>((resolve) => void dying.set(row.username, resolve))
          return Promise.race([workOn(db, kind, row, signal, (bug) => bugs.push(bug)), death])
        }),
      )
    }
  }

  /** Returns the seconds until the next due work, at most a minute so that `each` is called often. */
  async function idleSeconds(): Promise<number> {
    const due = await awsUserRows.msUntilDue(db)
    return Math.min(60, Math.ceil((due ?? 60_000) / 1000))
  }

  /** Runs the clean-up task when it is due. If AWS returns an error, the next run continues. */
  async function removeOrphansWhereDue(): Promise<void> {
    if (now() < orphansDue) return
    orphansDue = now() + ORPHANS_SECONDS * 1000
    await removeOrphans(db, aws, new AbortController().signal).catch((error: unknown) => {
      if (!(error instanceof CloudError)) throw error
    })
  }

  return {
    db,
    calls,
    bugs,
    watch,
    url: emulator.url,
    iam: new IAMClient({ endpoint: emulator.url, region: 'us-east-1', credentials: portalKey }),
    async add(username, { days = 1, pool = [] } = {}) {
      const input = { username, personalEmail: `${username}@home.test`, duration: days }
      const jobs = { enqueue: async () => {} }
      await db.transaction().execute((tx) => createAwsUser(tx, input, { seal, jobs, labDomain: 'aws.labs.test', pool }))
    },
    renew: (username, duration) =>
      db.transaction().execute((tx) => {
        const parts = { seal, jobs: { enqueue: async () => {} }, labDomain: 'aws.labs.test', pool: [] }
        return renewAwsUser(tx, { email: `${username}@aws.labs.test`, duration }, parts)
      }),
    async remove(usernames) {
      const rows = await Promise.all(usernames.map(idOf))
      await db.transaction().execute((tx) =>
        endAwsUsers(
          tx,
          rows.map(({ id }) => id),
        ),
      )
    },
    row: idOf,
    rows: () => db.selectFrom('aws_user').selectAll().orderBy('username').execute(),
    async advance(seconds, each) {
      for (let passed = 0; passed < seconds;) {
        await workUntilIdle()
        await reclaimAwsAccounts(db, aws, new AbortController().signal)
        await removeOrphansWhereDue()
        await each?.()
        const step = Math.min(Math.max(STEP_SECONDS, await idleSeconds()), seconds - passed)
        await env.step(step)
        passed += step
      }
      await workUntilIdle()
    },
    skipTo: (instant) => env.step(Math.ceil((instant - now()) / 1000)),
    killAt(operation, about, moment) {
      deaths.push({ operation, about, moment })
    },
    async vanish(username) {
      const { id } = await idOf(username)
      await unrecorded.remove({ id, username, account: null }, new AbortController().signal)
    },
    async leaveOrphan(account, username) {
      const orphan = { id: 'nobody', username, account, until: new Date(), password: 'Correct-Horse-7' }
      await unrecorded.create(orphan, new AbortController().signal)
    },
    async fault(fault) {
      await emulator.fault(fault)
      if (fault.kind === 'hang') hanging.push(fault as (typeof hanging)[number])
    },
    async clearFaults() {
      hanging.length = 0
      await emulator.clearFaults()
    },
    truth: async () => (await env.control('GET', '/_truth?part=aws')).body.aws,
    broken: () => brokenInvariants(owner, { quiet: true }),
    now,
    stop: env.stop,
  }
}

const isNamed = (pattern: string, about: string): boolean =>
  pattern.startsWith('*') ? about !== '' && pattern.includes(about) : pattern === about

const PREFIXES: Readonly<Record<string, string>> = { iam: 'IAM', sts: 'STS', organizations: 'Organizations' }

function callIn(headers: Readonly<Record<string, string>>, body: string): { operation: string; about: string } {
  const service = /\/(\w+)\/aws4_request/.exec(headers['authorization'] ?? '')?.[1] ?? ''
  if (service === 'organizations') {
    const { AccountId, ChildId } = JSON.parse(body) as { AccountId?: string; ChildId?: string }
    return { operation: `Organizations_${headers['x-amz-target']?.split('.')[1]}`, about: AccountId ?? ChildId ?? '' }
  }
  const fields = new URLSearchParams(body)
  const about =
    fields.get('UserName') ?? fields.get('SerialNumber')?.split('/')[1] ?? fields.get('RoleArn')?.split(':')[4]
  return { operation: `${PREFIXES[service]}_${fields.get('Action')}`, about: about ?? '' }
}
