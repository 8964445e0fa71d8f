import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId, PrepaidAccountId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrepaidAccountRow } from '../tables.gen.ts'
import { type JobQueue, job, EMAILS } from '@trainyard/platform/server/run/jobs/job.ts'
import { activeAdmins } from '@trainyard/users/server/admins.ts'
import { prepaidStateOf } from './prepaid.ts'
import { lockDueAccounts, expirePurchase, updateEvaluation, makeAccountsDue, isDue } from './queries.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

export const creditAlert = job<{
  readonly account: PrepaidAccountId
  readonly user: UserId
  readonly event: 'low' | 'used up'
  readonly key: string
}>('credit.alert', EMAILS)

/** Seconds between two evaluations of an account. */
const MIN_INTERVAL = 5
const MAX_INTERVAL = 600

export const PREPAID_DUE = sql<boolean>`exists (
  select from prepaid_account a join organisation o on o.id = a.organisation_id where ${isDue})`

export async function evaluateDuePrepaidAccounts(tx: Tx, jobs: JobQueue): Promise<void> {
  const { rows } = await lockDueAccounts(tx)
  for (const account of rows) await evaluateAccount(tx, jobs, account)
}

/** Stores what has expired, notifies admins when credit is low or used up, and schedules the next evaluation. */
async function evaluateAccount(tx: Tx, jobs: JobQueue, account: PrepaidAccountRow): Promise<void> {
  const state = await prepaidStateOf(tx, account)
  const { now, left, mostPerHour, purchases } = state
  for (const { payment, expired, usedAtExpiry } of purchases) {
    if (expired === null) continue
    await expirePurchase(tx, expired, usedAtExpiry, account.organisation_id, payment)
  }
  const isUsedUp = left <= 0
  const isLow = isUsedUp || left < account.low_paise
  const event = isUsedUp && account.used_up_at === null ? 'used up' : isLow && account.low_since === null ? 'low' : null
  if (event !== null) await notifyAdmins(tx, jobs, account, event, left)
  const threshold = isLow ? 0 : account.low_paise
  const seconds = mostPerHour === 0 || isUsedUp ? MAX_INTERVAL : ((left - threshold) * 3_600) / mostPerHour
  const expiry = purchases
    .filter(({ expired, expiresAt }) => expired === null && expiresAt !== null)
    .map(({ expiresAt }) => expiresAt!.getTime())
  const next = Math.min(
    now.getTime() + Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, seconds)) * 1_000,
    ...expiry.map((at) => Math.max(at, now.getTime() + 1_000)),
  )
  await updateEvaluation(tx, isLow, isUsedUp, new Date(next), account.id)
  if (account.hard_limit && isUsedUp !== (account.used_up_at !== null))
    await allMachinesChanged(tx, account.organisation_id)
}

async function notifyAdmins(
  tx: Tx,
  jobs: JobQueue,
  { id, organisation_id, training_id, hard_limit }: PrepaidAccountRow,
  event: 'low' | 'used up',
  left: number,
): Promise<void> {
  const admins = await activeAdmins(tx, organisation_id)
  const key = randomUUID()
  const mails = admins.map(({ id: user }) => ({ account: id, user, event, key }))
  if (mails.length > 0) await jobs.enqueue(tx, creditAlert, mails)
  await writeAudit(tx, {
    call: 'credit.alert',
    requestId: randomUUID(),
    actor: null,
    organisation: organisation_id,
    request: { training: training_id, event, leftPaise: left, hardLimit: hard_limit, mailed: mails.length },
  })
}

/** Evaluates the accounts of organisations soon, because their credit or the prices of their machines changed. */
export async function schedulePrepaidAccounts(
  tx: Tx,
  changed: readonly { readonly organisation: OrganisationId }[],
): Promise<void> {
  for (const organisation of new Set(changed.map((row) => row.organisation))) await makeAccountsDue(tx, organisation)
}
