import { sql, type Updateable } from 'kysely'
import type { Schema, Tx } from '../../../db/schema.ts'
import type { AzureUserRow } from '../../../db/schema/azure-lab.ts'
import { leasedRows } from '../../../reconcile/claim.ts'
import type { Identity, UserSighting } from '../../../providers/identity.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { recordError, type ErrorParts } from '../failures.ts'
import { secondsUntil, vanishedAt } from './gone.ts'
import { endAzureUsers, notifyWorkers, SANDBOX_DUE } from './wake.ts'

export interface UserStepParts extends ErrorParts {
  readonly identity: Identity
  readonly seal: Seal
}

export const azureUsers = leasedRows<AzureUserRow>('azure_user')

/** A user who is there is looked at this often, for what happens behind our back. */
const LOOK_SECONDS = 600

/** Does what a claimed lab user needs now at the provider, writes down what came of it, and gives the row back. */
export async function takeUserStep(parts: UserStepParts, user: AzureUserRow, signal: AbortSignal): Promise<void> {
  try {
    if (user.desired === 'gone') await end(parts, user, signal)
    else if (user.object_id === null) await make(parts, user, signal)
    else await lookAfter(parts, user, signal)
  } catch (fault) {
    await recordError(parts, azureUsers, user, fault)
  }
}

async function make({ db, identity, seal }: UserStepParts, user: AzureUserRow, signal: AbortSignal): Promise<void> {
  const sent = await azureUsers.withClaimed(db, user, (tx, { now }) => change(tx, user, { create_sent_at: now }))
  if (sent === null) return
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
  await azureUsers.withClaimed(db, user, async (tx, now) => {
    await change(tx, user, { object_id: objectId, ...WELL })
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
    await azureUsers.release(tx, user, now.generation === user.generation ? LOOK_SECONDS : 0)
  })
}

async function lookAfter({ db, identity }: UserStepParts, user: AzureUserRow, signal: AbortSignal): Promise<void> {
  const seen = await identity.lookAtUser(known(user), signal)
  await azureUsers.withClaimed(db, user, async (tx, { now, absent_at, generation }) => {
    const gone = seen.state !== 'existing'
    // A new user is not seen everywhere at once: gone is who is missing again a while later.
    const since = { absent_at: absent_at ?? now, create_sent_at: user.create_sent_at }
    if (gone && secondsUntil(vanishedAt(since), now) === 0) {
      // Never silently made again: whoever deleted the user meant it.
      await endAzureUsers(tx, [user.id])
      await azureUsers.release(tx, user, 0)
      return
    }
    const disabled = seen.state === 'existing' && !seen.enabled
    await change(tx, user, {
      absent_at: gone ? since.absent_at : null,
      ...WELL,
      last_error: disabled ? 'The user is disabled in the directory, outside of this portal.' : null,
    })
    await azureUsers.release(tx, user, generation === user.generation ? (gone ? 60 : LOOK_SECONDS) : 0)
  })
}

/** Blocked first; then deleted, for good; then looked at until nothing is left. */
async function end({ db, identity }: UserStepParts, user: AzureUserRow, signal: AbortSignal): Promise<void> {
  let seen = await identity.lookAtUser(known(user), signal)
  const objectId = seen.state === 'absent' ? user.object_id : seen.objectId
  if (objectId !== null) {
    // Also where it was not seen: those who read may not know of it yet.
    await identity.blockUser(objectId, signal)
    if (user.blocked_at === null || objectId !== user.object_id) {
      const held = await azureUsers.withClaimed(db, user, (tx, { now }) =>
        change(tx, user, { object_id: objectId, blocked_at: now }),
      )
      if (held === null) return
    }
    await identity.deleteUser(objectId, signal)
    seen = await identity.lookAtUser({ ...known(user), objectId }, signal)
  }
  await azureUsers.withClaimed(db, user, (tx, row) => conclude(tx, user, row, seen))
}

async function conclude(tx: Tx, user: AzureUserRow, row: AzureUserRow & { now: Date }, seen: UserSighting) {
  if (seen.state !== 'absent') {
    await change(tx, user, { absent_at: null, ...WELL })
    await azureUsers.release(tx, user, 10)
    return
  }
  const { now } = row
  const since = { absent_at: row.absent_at ?? now, create_sent_at: row.create_sent_at }
  await change(tx, user, { absent_at: since.absent_at, ...WELL })
  const existing = await tx
    .selectFrom('sandbox')
    .select('id')
    .where('azure_user_id', '=', user.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  // A user just made may be missed by readers, and their deletion with them: the longer wait holds for them.
  const pause = secondsUntil(vanishedAt(since), now)
  if (existing !== undefined || pause > 0) {
    await azureUsers.release(tx, user, Math.max(10, pause))
    return
  }
  await sql`update azure_user set ended_at = portal_now(), first_password = null, reconcile_at = null,
    leased_until = null where id = ${user.id}`.execute(tx)
}

const known = ({ id, email, object_id }: AzureUserRow) => ({ id, signInName: email, objectId: object_id })

/** What was asked for was done: earlier failures are over. */
const WELL = { attempts: 0, last_error: null } as const

const change = (tx: Tx, { id }: AzureUserRow, values: Updateable<Schema['azure_user']>) =>
  tx.updateTable('azure_user').set(values).where('id', '=', id).execute()
