import { sql } from 'kysely'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import type { AzureUserRow } from '../../../db/schema/azure-lab.ts'
import type { Identity, UserSighting } from '../../../providers/identity.ts'
import type { Kind } from '../../../reconcile/loop.ts'
import type { LockedRow, Outcome, Result, Step } from '../../../reconcile/outcome.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { secondsUntil, vanishedAt } from './gone.ts'
import { AZURE_USER_DUE, endAzureUsers, SANDBOX_DUE } from './wake.ts'

export interface UserParts {
  readonly identity: Identity
  readonly seal: Seal
}

/** A user who is there is looked at this often, for what happens behind our back. */
const LOOK_SECONDS = 600

/** Makes Entra agree with the rows of lab users. */
export const azureUserKind = (parts: UserParts): Kind<AzureUserRow> => ({
  table: 'azure_user',
  channel: AZURE_USER_DUE,
  lastingPause: 'asked',
  async step(user, signal) {
    if (user.desired === 'gone') return end(parts, user, signal)
    // Written before it is sent: a lost reply, or a worker killed meanwhile, leaves a trace of it.
    if (user.object_id === null) return (_tx, { now }) => ({ set: { create_sent_at: now }, next: make(parts) })
    return lookAfter(parts, user, signal)
  },
})

const make =
  ({ identity, seal }: UserParts): Step<AzureUserRow> =>
  async (user, signal) => {
    const { objectId } = await identity.makeUser(
      {
        id: user.id,
        signInName: user.email,
        displayName: user.email.split('@', 1)[0]!,
        personalEmail: user.personal_email,
        firstPassword: seal.open(user.first_password!, user.id),
      },
      signal,
    )
    return async (tx) => {
      // Its sandboxes may have been waiting for somebody to give a role to; not those told to wait by the provider.
      await sql`
        with waiting as (
          select id from sandbox where azure_user_id = ${user.id} and access = 'none' and desired <> 'gone'
            and attempts = 0
          order by id for update)
        update sandbox s set reconcile_at = portal_now(), generation = generation + 1 from waiting where s.id = waiting.id`.execute(
        tx,
      )
      await notifyWorkers(tx, SANDBOX_DUE)
      return { set: { object_id: objectId }, next: LOOK_SECONDS }
    }
  }

async function lookAfter(
  { identity }: UserParts,
  user: AzureUserRow,
  signal: AbortSignal,
): Promise<Result<AzureUserRow>> {
  const seen = await identity.lookAtUser(known(user), signal)
  return async (tx, { now, absent_at }) => {
    const gone = seen.state !== 'existing'
    // A new user is not seen everywhere at once: gone is who is missing again a while later.
    const since = { absent_at: absent_at ?? now, create_sent_at: user.create_sent_at }
    if (gone && secondsUntil(vanishedAt(since), now) === 0) {
      // Never silently made again: whoever deleted the user meant it.
      await endAzureUsers(tx, [user.id])
      return { next: 0 }
    }
    const disabled = seen.state === 'existing' && !seen.enabled
    return {
      set: {
        absent_at: gone ? since.absent_at : null,
        last_error: disabled ? 'The user is disabled in the directory, outside of this portal.' : null,
      },
      next: gone ? 60 : LOOK_SECONDS,
    }
  }
}

/** Blocked first; then deleted, for good; then looked at until nothing is left. */
async function end({ identity }: UserParts, user: AzureUserRow, signal: AbortSignal): Promise<Result<AzureUserRow>> {
  const seen = await identity.lookAtUser(known(user), signal)
  const objectId = seen.state === 'absent' ? user.object_id : seen.objectId
  if (objectId === null) return (tx, row) => conclude(tx, row, seen)
  // Also where it was not seen: those who read may not know of it yet.
  await identity.blockUser(objectId, signal)
  const remove: Step<AzureUserRow> = async (_user, stillSignal) => {
    await identity.deleteUser(objectId, stillSignal)
    const left = await identity.lookAtUser({ ...known(user), objectId }, stillSignal)
    return (tx, row) => conclude(tx, row, left)
  }
  if (user.blocked_at !== null && objectId === user.object_id) return remove(user, signal)
  return (_tx, { now }) => ({ set: { object_id: objectId, blocked_at: now }, next: remove })
}

async function conclude(
  tx: Tx,
  { id, now, absent_at, create_sent_at }: LockedRow<AzureUserRow>,
  seen: UserSighting,
): Promise<Outcome<AzureUserRow>> {
  if (seen.state !== 'absent') return { set: { absent_at: null }, next: 10 }
  const since = { absent_at: absent_at ?? now, create_sent_at }
  const sandbox = await tx
    .selectFrom('sandbox')
    .select('id')
    .where('azure_user_id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  // A user just made may be missed by readers, and their deletion with them: the longer wait holds for them.
  const pause = secondsUntil(vanishedAt(since), now)
  if (sandbox !== undefined || pause > 0) return { set: { absent_at: since.absent_at }, next: Math.max(10, pause) }
  return { set: { absent_at: since.absent_at, ended_at: now, first_password: null }, next: 'over' }
}

const known = ({ id, email, object_id }: AzureUserRow) => ({ id, signInName: email, objectId: object_id })
