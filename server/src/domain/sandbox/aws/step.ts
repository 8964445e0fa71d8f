import type { AwsUserRow } from '../../../db/schema/aws-lab.ts'
import type { Tx } from '../../../db/schema.ts'
import type { AwsUserPlace, AwsUsers } from '../../../providers/aws-users.ts'
import { pauseAfter } from '../../../reconcile/failures.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import type { LockedRow, Outcome, Result, Step } from '../../../reconcile/outcome.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { retireLease } from './lease.ts'
import { nextForAwsUser } from './next.ts'
import { AWS_USER_DUE, endAwsUsers } from './wake.ts'

export interface AwsParts {
  readonly aws: AwsUsers
  readonly seal: Seal
}

/** IAM asks for a pause sooner than other services: users that are worked on at once. */
const AT_ONCE = 6
/** Somebody may change at AWS what we made: each user is looked at this often. */
const LOOK_SECONDS = 10 * 60
/** A user that was not found is looked for again after this long: AWS shows things late. */
const DOUBT_SECONDS = 60
/** A creation may come this late, or be seen this late: until then not finding it proves nothing. */
const LATE_CREATE_SECONDS = 90
/** Between deletions that found something. */
const AGAIN_SECONDS = 2
/** On its way out a user is never left alone for longer than this, unless AWS asks for it. */
const ENDING_PATIENCE_SECONDS = 60

/** Makes AWS agree with the rows of lab users. */
export const awsUserKind = (parts: AwsParts): Kind<AwsUserRow> => ({
  table: 'aws_user',
  channel: AWS_USER_DUE,
  atOnce: AT_ONCE,
  lastingPause: 'asked',
  step: stepOf(parts),
  failed: ({ desired }, error) =>
    desired === 'gone'
      ? (_tx, { attempts }) => ({ error, next: Math.min(ENDING_PATIENCE_SECONDS, pauseAfter(error, attempts + 1)) })
      : { error },
})

const stepOf =
  (parts: AwsParts): Step<AwsUserRow> =>
  async (user, signal) => {
    switch (nextForAwsUser(user)) {
      case 'create':
        // Written before it is sent: a lost reply, or a worker killed meanwhile, leaves a trace of it.
        return (_tx, { now, desired }) =>
          desired === 'ready' ? { set: { create_sent_at: now }, next: create(parts) } : { next: 0 }
      case 'look':
        return look(parts, user, signal)
      case 'block':
        await parts.aws.block(placeOf(user), signal)
        return (_tx, { now }) => ({ set: { blocked_at: now, ...WELL }, next: stepOf(parts) })
      case 'remove':
        return remove(parts, user, signal)
      case 'end':
        return end
    }
  }

const create =
  (parts: AwsParts): Step<AwsUserRow> =>
  async (user, signal) => {
    const { aws, seal } = parts
    const password = seal.open(user.first_password!, user.id)
    const { account } = await aws.create({ ...placeOf(user), until: user.end_at, password }, signal)
    return (_tx, { now, desired }) => ({
      set: { ready_at: now, aws_account: account, ...WELL },
      next: desired === 'ready' ? LOOK_SECONDS : stepOf(parts),
    })
  }

async function look(parts: AwsParts, user: AwsUserRow, signal: AbortSignal): Promise<Result<AwsUserRow>> {
  const { aws } = parts
  const at = { ...placeOf(user), until: user.end_at }
  const seen = await aws.look(at, signal)
  if (seen.state === 'existing' && !seen.secured) await aws.secure(at, signal)
  return async (tx, row): Promise<Outcome<AwsUserRow>> => {
    if (row.desired !== 'ready') return { next: stepOf(parts) }
    if (seen.state === 'existing')
      return { set: { absent_at: null }, next: seen.secured ? LOOK_SECONDS : DOUBT_SECONDS }
    if (row.absent_at === null) return { set: { absent_at: row.now }, next: DOUBT_SECONDS }
    // Never silently made again: somebody deleted it, and its end is what is left to do.
    await endAwsUsers(tx, [row.id])
    return { next: 0 }
  }
}

async function remove({ aws }: AwsParts, user: AwsUserRow, signal: AbortSignal): Promise<Result<AwsUserRow>> {
  const found = await aws.remove(placeOf(user), signal)
  if (found === 'something') {
    return (_tx, { attempts }) => ({
      set: { attempts: attempts + 1, absent_at: null },
      next: Math.min(ENDING_PATIENCE_SECONDS, AGAIN_SECONDS * 2 ** Math.min(attempts, 6)),
    })
  }
  const retire: Step<AwsUserRow> = async (_user, stillSignal) => {
    if (user.leased) await aws.retire(user.aws_account!, stillSignal)
    return end
  }
  return (_tx, { now, create_sent_at, absent_at }) => {
    const sure = now.getTime() - create_sent_at!.getTime() >= LATE_CREATE_SECONDS * 1000
    return { set: { absent_at: absent_at ?? now, ...WELL }, next: sure ? retire : LATE_CREATE_SECONDS / 6 }
  }
}

/** Ended is final: no secret, and no work. */
async function end(tx: Tx, { id, now }: LockedRow<AwsUserRow>): Promise<Outcome<AwsUserRow>> {
  await retireLease(tx, id)
  return { set: { ended_at: now, first_password: null, account_id: null }, next: 'over' }
}

/** The outcome of a step that went well, with more to follow at once: earlier failures are over. */
const WELL = { attempts: 0, last_error: null } as const

const placeOf = ({ id, username, aws_account, leased }: AwsUserRow): AwsUserPlace => ({
  id,
  username,
  account: leased ? aws_account : null,
})
