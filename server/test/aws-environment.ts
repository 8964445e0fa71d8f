import { IAMClient } from '@aws-sdk/client-iam'
import { portalKey } from '@trainyard/emulator/aws/cloud.ts'
import { watchAws } from '@trainyard/emulator/test/aws-watch.ts'
import { workerOf } from '../src/app/compose.ts'
import type { Db } from '../src/db/schema.ts'
import type { AwsUserRow } from '../src/db/schema/aws-lab.ts'
import { brokenInvariants } from '../src/invariants/check.ts'
import { CloudError } from '../src/providers/errors.ts'
import { bodyText, type Wire } from '../src/providers/aws/wire.ts'
import { queueOf } from '../src/reconcile/claim.ts'
import { workOn } from '../src/reconcile/work.ts'
import { createAwsUser } from '../src/domain/sandbox/aws/create-user.ts'
import { renewAwsUser } from '../src/domain/sandbox/aws/renew-user.ts'
import { takeBackAccounts } from '../src/domain/sandbox/aws/lease.ts'
import { removeOrphans } from '../src/domain/sandbox/aws/orphans.ts'
import { awsUserKind } from '../src/domain/sandbox/aws/step.ts'
import { endAwsUsers, endAwsUsersWhoseTimeIsUp } from '../src/domain/sandbox/aws/wake.ts'
import { startEnvironment } from './environment.ts'

export interface TrueUser {
  readonly account: string
  readonly name: string
  readonly exists: boolean
  readonly hasLogin: boolean
  readonly keys: number
  readonly activeKeys: number
  readonly getsIn: boolean
  readonly inlinePolicies: readonly string[]
  readonly boundary: string | null
}

/** A call as it went out: for whom, when (the portal's clock, ms), and until when AWS asked to wait. */
export interface Call {
  readonly operation: string
  readonly about: string
  readonly at: number
  readonly pauseUntil: number | null
}

/** Lab users on a real database and a real emulator, with time that passes as it is told to. */
export interface AwsLabs {
  readonly db: Db
  readonly calls: readonly Call[]
  readonly bugs: unknown[]
  /** AWS itself, with the portal's key: for what happens behind our back. */
  readonly iam: IAMClient
  readonly watch: ReturnType<typeof watchAws>
  readonly url: string
  add(username: string, options?: { days?: number; pool?: readonly string[] }): Promise<void>
  /** As a superadmin renews them; answers the sentence. */
  renew(username: string, days: number): Promise<string>
  /** As a superadmin deletes them. */
  remove(usernames: readonly string[]): Promise<void>
  row(username: string): Promise<AwsUserRow>
  rows(): Promise<AwsUserRow[]>
  /** Lets time pass, and does what comes due meanwhile; `each` is called after every few seconds of it. */
  pass(seconds: number, each?: () => Promise<void>): Promise<void>
  /** Moves the clocks on to an instant (ms), with nobody at work meanwhile. */
  skipTo(instant: number): Promise<void>
  /** The worker that makes this call dies then: before it is sent, or before its reply is read. */
  killAt(operation: string, about: string, moment: 'before' | 'after'): void
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>
  clearFaults(): Promise<void>
  /** Somebody deletes a user at AWS, with all that hangs on it. */
  vanish(username: string): Promise<void>
  /** A user under our path stands in an account, and nobody knows why. */
  leaveOrphan(account: string, username: string): Promise<void>
  truth(): Promise<{ users: TrueUser[]; accounts: { id: string; parent: string }[] }>
  /** The invariants that do not hold, all being quiet. */
  broken(): Promise<unknown[]>
  now(): number
  stop(): Promise<void>
}

const LEASE_SECONDS = 20
const STEP_SECONDS = 10
/** Between looks for users that came after their row had ended. */
const ORPHANS_SECONDS = 600
/** A call that is made to hang is given up on so soon; all else has its time, however slow the machine. */
const HANGS_MS = 150

export async function startAwsLabs(): Promise<AwsLabs> {
  const watch = watchAws()
  const calls: Call[] = []
  const hanging: { operation: string; name: string; times?: number }[] = []
  const deaths: { operation: string; about: string; moment: 'before' | 'after' }[] = []
  /** For each user at work: what tells that their worker died. */
  const dying = new Map<string, () => void>()
  let orphansDue = 0
  const now = () => env.now().getTime()

  /** Judges and notes every message on the wire; a worker that was to die here never comes back. */
  const listening = (wire: Wire): Wire => {
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
        watch.see({ headers: request.headers, body, reply: spoilt ? null : reply })
        if (dies !== undefined) await die()
      }
    }
  }
  const env = await startEnvironment({ overrides: { aws: { http: listening } } })
  const { emulator, bugs, db: owner } = env
  const { db, seal } = env.parts
  const aws = env.parts.aws!
  /** The adapter as it is, of which nothing is heard here. */
  const unheard = (await workerOf(env.portal.app)).aws!
  const kind = awsUserKind({ aws, seal })
  const awsUserRows = queueOf<AwsUserRow>('aws_user')
  const idOf = (username: string) =>
    db.selectFrom('aws_user').selectAll().where('username', '=', username).executeTakeFirstOrThrow()

  async function workUntilIdle(): Promise<void> {
    for (;;) {
      await endAwsUsersWhoseTimeIsUp(db)
      const claimed = await awsUserRows.claimDue(db, 64, LEASE_SECONDS)
      if (claimed.length === 0) return
      const signal = new AbortController().signal
      // One that died is not waited for: its lease ends, and another takes over.
      await Promise.all(
        claimed.map((row) => {
          const death = new Promise<void>((resolve) => void dying.set(row.username, resolve))
          return Promise.race([workOn(db, kind, row, signal, (bug) => bugs.push(bug)), death])
        }),
      )
    }
  }

  /** Until something is due by itself; at most a minute, for those who look. */
  async function idleSeconds(): Promise<number> {
    const due = await awsUserRows.untilDue(db)
    return Math.min(60, Math.ceil((due ?? 60_000) / 1000))
  }

  /** The task, by its period; an error of AWS is for its next run. */
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
      const asked = { username, personalEmail: `${username}@home.test`, duration: days }
      const jobs = { put: async () => {} }
      await db.transaction().execute((tx) => createAwsUser(tx, asked, { seal, jobs, labDomain: 'aws.labs.test', pool }))
    },
    renew: (username, duration) =>
      db.transaction().execute((tx) => {
        const parts = { seal, jobs: { put: async () => {} }, labDomain: 'aws.labs.test', pool: [] }
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
    async pass(seconds, each) {
      for (let passed = 0; passed < seconds;) {
        await workUntilIdle()
        await takeBackAccounts(db, aws, new AbortController().signal)
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
      await unheard.remove({ id, username, account: null }, new AbortController().signal)
    },
    async leaveOrphan(account, username) {
      const orphan = { id: 'nobody', username, account, until: new Date(), password: 'Correct-Horse-7' }
      await unheard.create(orphan, new AbortController().signal)
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

/** The operation of a request, and the user or account it is about. */
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
