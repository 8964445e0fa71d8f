import type { Updateable } from 'kysely'
import { leasedRows } from '../../../reconcile/claim.ts'
import type { Db, Schema, Tx } from '../../../db/schema.ts'
import type { AwsUserRow } from '../../../db/schema/aws-lab.ts'
import type { AwsUserPlace, AwsUsers } from '../../../providers/aws-users.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { recordError, type ErrorParts } from '../failures.ts'
import { retireLease } from './lease.ts'
import { nextForAwsUser } from './next.ts'
import { endAwsUsers } from './wake.ts'

export const awsUserRows = leasedRows<AwsUserRow>('aws_user')

export interface AwsStepParts extends ErrorParts {
  readonly aws: AwsUsers
  readonly seal: Seal
}

type Locked = AwsUserRow & { readonly now: Date }

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
/** Steps that may follow one another at once. */
const MOVES = 3

/** Does what a claimed lab user needs now, writes down what came of it, and gives it back. */
export async function stepAwsUser(parts: AwsStepParts, claimed: AwsUserRow, signal: AbortSignal): Promise<void> {
  try {
    let user: AwsUserRow | null = claimed
    for (let move = 1; user !== null && move <= MOVES; move++) user = await takeMove(parts, user, signal)
  } catch (fault) {
    const patience = claimed.desired === 'gone' ? ENDING_PATIENCE_SECONDS : Infinity
    await recordError(parts, awsUserRows, claimed, fault, { patience })
  }
}

/** Answers the row as it is now where there is more to do at once. */
async function takeMove(parts: AwsStepParts, user: AwsUserRow, signal: AbortSignal): Promise<AwsUserRow | null> {
  switch (nextForAwsUser(user)) {
    case 'create':
      return create(parts, user, signal)
    case 'look':
      return look(parts, user, signal)
    case 'block':
      await parts.aws.block(placeOf(user), signal)
      return write(parts.db, user, (tx, row) => change(tx, row, { blocked_at: row.now, ...WELL }))
    case 'remove':
      return remove(parts, user, signal)
    case 'end':
      return write(parts.db, user, end)
  }
}

async function create({ db, aws, seal }: AwsStepParts, user: AwsUserRow, signal: AbortSignal) {
  const password = seal.open(user.first_password!, user.id)
  // Written before it is sent: a lost reply, or a worker killed meanwhile, leaves a trace of it.
  const sent = await write(db, user, (tx, row) =>
    row.desired === 'ready' ? change(tx, row, { create_sent_at: row.now }) : givenBack(tx, row, 0),
  )
  if (sent === null) return null
  const { account } = await aws.create({ ...placeOf(user), until: user.end_at, password }, signal)
  return write(db, user, async (tx, row) => {
    const after = await change(tx, row, { ready_at: row.now, aws_account: account, ...WELL })
    return after.desired === 'ready' ? givenBack(tx, after, LOOK_SECONDS) : after
  })
}

async function look({ db, aws }: AwsStepParts, user: AwsUserRow, signal: AbortSignal) {
  const at = { ...placeOf(user), until: user.end_at }
  const seen = await aws.look(at, signal)
  if (seen.state === 'existing' && !seen.secured) await aws.secure(at, signal)
  return write(db, user, async (tx, row) => {
    if (row.desired !== 'ready') return row
    if (seen.state === 'existing') {
      const after = await change(tx, row, { absent_at: null, ...WELL })
      return givenBack(tx, after, seen.secured ? LOOK_SECONDS : DOUBT_SECONDS)
    }
    if (row.absent_at === null) return givenBack(tx, await change(tx, row, { absent_at: row.now }), DOUBT_SECONDS)
    // Never silently made again: somebody deleted it, and its end is what is left to do.
    await endAwsUsers(tx, [row.id])
    return givenBack(tx, row, 0)
  })
}

async function remove({ db, aws }: AwsStepParts, user: AwsUserRow, signal: AbortSignal) {
  const found = await aws.remove(placeOf(user), signal)
  const trusted = (row: Locked) => row.now.getTime() - row.create_sent_at!.getTime() >= LATE_CREATE_SECONDS * 1000
  if (found === 'something') {
    return write(db, user, async (tx, row) => {
      const after = await change(tx, row, { attempts: row.attempts + 1, absent_at: null, last_error: null })
      return givenBack(tx, after, Math.min(ENDING_PATIENCE_SECONDS, AGAIN_SECONDS * 2 ** Math.min(row.attempts, 6)))
    })
  }
  const sure = await write(db, user, async (tx, row) => {
    const after = await change(tx, row, { absent_at: row.absent_at ?? row.now, ...WELL })
    return trusted(row) ? after : givenBack(tx, after, LATE_CREATE_SECONDS / 6)
  })
  if (sure === null) return null
  if (user.leased) await aws.retire(user.aws_account!, signal)
  return write(db, user, end)
}

/** Ended is final: no secret, and no work. */
async function end(tx: Tx, row: Locked): Promise<null> {
  await retireLease(tx, row.id)
  await tx
    .updateTable('aws_user')
    .set({ ended_at: row.now, first_password: null, account_id: null, reconcile_at: null, leased_until: null, ...WELL })
    .where('id', '=', row.id)
    .execute()
  return null
}

const WELL = { attempts: 0, last_error: null } as const

const placeOf = ({ id, username, aws_account, leased }: AwsUserRow): AwsUserPlace => ({
  id,
  username,
  account: leased ? aws_account : null,
})

/** Writes to the claimed row as it is now; null when the claim is over. */
const write = (db: Db, user: AwsUserRow, work: (tx: Tx, row: Locked) => Promise<Locked | null>) =>
  awsUserRows.withClaimed(db, user, work)

/** Fields that a step may change. */
type Change = Pick<
  Updateable<Schema['aws_user']>,
  'create_sent_at' | 'ready_at' | 'aws_account' | 'blocked_at' | 'absent_at' | 'attempts' | 'last_error'
>

async function change(tx: Tx, row: Locked, values: Change): Promise<Locked> {
  await tx.updateTable('aws_user').set(values).where('id', '=', row.id).execute()
  return { ...row, ...values }
}

async function givenBack(tx: Tx, row: Locked, seconds: number): Promise<null> {
  await awsUserRows.release(tx, row, seconds)
  return null
}
