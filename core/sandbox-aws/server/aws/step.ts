import type { AwsUserRow } from '@trainyard/lab-users/tables.gen.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { AwsUserRef, AwsUsers } from '../aws-users.ts'
import { pauseAfter } from '@trainyard/platform/server/run/reconcile/failures.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { LockedRow, Outcome, Result, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { passwordToSend } from '@trainyard/machines/server/credentials.ts'
import { retireLease } from './lease.ts'
import { nextForAwsUser } from './next.ts'
import { endAwsUsers } from './wake.ts'

export interface AwsDependencies {
  readonly aws: AwsUsers
  readonly seal: Seal
}

/** Number of concurrent steps, because IAM throttles earlier than other services. */
const AT_ONCE = 6
/** Interval of reads, which detect changes made outside the portal. */
const READ_SECONDS = 10 * 60
/** Seconds until a missing user is read again, because AWS is eventually consistent. */
const RECHECK_SECONDS = 60
/**
 * Seconds in which a creation may still complete or become visible. A user who is missing in this time may still
 * appear.
 */
const LATE_CREATE_SECONDS = 90
const RETRY_SECONDS = 2
/** Maximum pause while a user is being ended, unless AWS requests a longer one. */
const ENDING_PATIENCE_SECONDS = 60

export const awsUserKind = (parts: AwsDependencies): Kind<AwsUserRow> => ({
  table: 'aws_user',
  maxConcurrent: AT_ONCE,
  retainedPause: 'requested',
  step: createStep(parts),
  onError: ({ desired }, error) =>
    desired === 'gone'
      ? (_tx, { attempts }) => ({ error, next: Math.min(ENDING_PATIENCE_SECONDS, pauseAfter(error, attempts + 1)) })
      : { error },
})

const createStep =
  (parts: AwsDependencies): Step<AwsUserRow> =>
  async (user, signal) => {
    switch (nextForAwsUser(user)) {
      case 'create':
        // The time is stored before the creation is sent, so that it is known after a lost reply or a killed worker.
        return (_tx, { now, desired }) =>
          desired === 'ready' ? { set: { create_sent_at: now }, next: createUser(parts) } : { next: 0 }
      case 'read':
        return readUser(parts, user, signal)
      case 'block':
        await parts.aws.block(refOf(user), signal)
        return (_tx, { now }) => ({ set: { blocked_at: now, ...NO_FAILURE }, next: createStep(parts) })
      case 'remove':
        return removeUser(parts, user, signal)
      case 'end':
        return end
    }
  }

const createUser =
  (parts: AwsDependencies): Step<AwsUserRow> =>
  async (user, signal) => {
    const { aws, seal } = parts
    const password = passwordToSend(seal, user.first_password!, user.id)
    const { account } = await aws.create({ ...refOf(user), until: user.end_at, password }, signal)
    return (_tx, { now, desired }) => ({
      set: { ready_at: now, aws_account: account, ...NO_FAILURE },
      next: desired === 'ready' ? READ_SECONDS : createStep(parts),
    })
  }

async function readUser(parts: AwsDependencies, user: AwsUserRow, signal: AbortSignal): Promise<Result<AwsUserRow>> {
  const { aws } = parts
  const at = { ...refOf(user), until: user.end_at }
  const current = await aws.getState(at, signal)
  if (current.state === 'existing' && !current.secured) await aws.secure(at, signal)
  return async (tx, row): Promise<Outcome<AwsUserRow>> => {
    if (row.desired !== 'ready') return { next: createStep(parts) }
    if (current.state === 'existing')
      return { set: { absent_at: null }, next: current.secured ? READ_SECONDS : RECHECK_SECONDS }
    if (row.absent_at === null) return { set: { absent_at: row.now }, next: RECHECK_SECONDS }
    // The user was deleted outside the portal. It is not recreated silently, so only its end remains.
    await endAwsUsers(tx, [row.id])
    return { next: 0 }
  }
}

async function removeUser(
  { aws }: AwsDependencies,
  user: AwsUserRow,
  signal: AbortSignal,
): Promise<Result<AwsUserRow>> {
  const found = await aws.remove(refOf(user), signal)
  if (found === 'something') {
    return (_tx, { attempts }) => ({
      set: { attempts: attempts + 1, absent_at: null },
      next: Math.min(ENDING_PATIENCE_SECONDS, RETRY_SECONDS * 2 ** Math.min(attempts, 6)),
    })
  }
  const retire: Step<AwsUserRow> = async (_user, nextSignal) => {
    if (user.leased) await aws.retire(user.aws_account!, nextSignal)
    return end
  }
  return (_tx, { now, create_sent_at, absent_at }) => {
    const isCertain = now.getTime() - create_sent_at!.getTime() >= LATE_CREATE_SECONDS * 1000
    return { set: { absent_at: absent_at ?? now, ...NO_FAILURE }, next: isCertain ? retire : LATE_CREATE_SECONDS / 6 }
  }
}

/** Marks a user as ended. The row has no password and is never reconciled again. */
async function end(tx: Tx, { id, now }: LockedRow<AwsUserRow>): Promise<Outcome<AwsUserRow>> {
  await retireLease(tx, id)
  return { set: { ended_at: now, first_password: null, account_id: null }, next: 'never' }
}

const NO_FAILURE = { attempts: 0, last_error: null } as const

const refOf = ({ id, username, aws_account, leased }: AwsUserRow): AwsUserRef => ({
  id,
  username,
  account: leased ? aws_account : null,
})
