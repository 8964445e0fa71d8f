import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { AzureUserRow } from '@trainyard/lab-users/tables.gen.ts'
import { CloudError, type CloudErrorKind } from '@trainyard/platform/server/providers/errors.ts'
import type { Identity, DirectoryUserState } from '../identity-provider.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { LockedRow, Outcome, Result, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { accessPassContext } from '../encryption-context.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { passwordToSend } from '@trainyard/machines/server/credentials.ts'
import { secondsUntil, vanishedAt } from './absence.ts'
import { endAzureUsers } from './wake.ts'

export interface UserDependencies {
  readonly identity: Identity
  readonly seal: Seal
}

const NO_ACCESS_PASS = { access_pass_wanted_at: null, access_pass: null, access_pass_ends_at: null }

/** Interval of reads, which detect changes made outside the portal. */
const READ_SECONDS = 600

export const azureUserKind = (parts: UserDependencies): Kind<AzureUserRow> => ({
  table: 'azure_user',
  retainedPause: 'requested',
  async step(user, signal) {
    if (user.desired === 'gone') return endUser(parts, user, signal)
    // The time is stored before the creation is sent, so that it is known after a lost reply or a killed worker.
    if (user.object_id === null) return (_tx, { now }) => ({ set: { create_sent_at: now }, next: createUser(parts) })
    if (user.access_pass_wanted_at !== null) return issueAccessPass(parts, user.id, user.object_id, signal)
    return checkUser(parts, user, signal)
  },
})

const createUser =
  ({ identity, seal }: UserDependencies): Step<AzureUserRow> =>
  async (user, signal) => {
    const { objectId } = await identity.createUser(
      {
        id: user.id,
        signInName: user.email,
        displayName: user.email.split('@', 1)[0]!,
        personalEmail: user.personal_email,
        firstPassword: passwordToSend(seal, user.first_password!, user.id),
      },
      signal,
    )
    return async (tx) => {
      // Sandboxes may be waiting for the object ID. Those in a pause that the provider requested are not woken.
      await setDesiredState(tx, 'sandbox', {
        rows: sql`
          select id from sandbox where azure_user_id = ${user.id} and access = 'none' and desired <> 'gone'
            and attempts = 0
          order by id for update`,
      })
      return { set: { object_id: objectId }, next: READ_SECONDS }
    }
  }

/** Errors that end the creation. All other errors are retried. */
const FINAL_KINDS: ReadonlySet<CloudErrorKind> = new Set(['refused', 'unauthorised'])

async function issueAccessPass(
  { identity, seal }: UserDependencies,
  id: SandboxUserId,
  objectId: string,
  signal: AbortSignal,
): Promise<Result<AzureUserRow>> {
  try {
    const issued = await identity.createAccessPass(objectId, signal)
    const set = { access_pass_wanted_at: null, last_error: null }
    if (issued === null) return { set, next: 0 }
    const access_pass = seal.seal(issued.pass, accessPassContext(id))
    return { set: { ...set, access_pass, access_pass_ends_at: issued.endsAt }, next: READ_SECONDS }
  } catch (error) {
    if (!(error instanceof CloudError) || !FINAL_KINDS.has(error.kind)) throw error
    const last_error = `No Temporary Access Pass was issued. ${error.message}`
    return { set: { access_pass_wanted_at: null, last_error }, next: READ_SECONDS }
  }
}

async function checkUser(
  { identity }: UserDependencies,
  user: AzureUserRow,
  signal: AbortSignal,
): Promise<Result<AzureUserRow>> {
  const current = await identity.getUser(userRef(user), signal)
  return async (tx, { now, absent_at, access_pass_ends_at }) => {
    const isDeleted = current.state !== 'existing'
    // Directories do not show a new user everywhere at once, so only a user that is still missing later counts as
    // deleted.
    const since = { absent_at: absent_at ?? now, create_sent_at: user.create_sent_at }
    if (isDeleted && secondsUntil(vanishedAt(since), now) === 0) {
      // The deletion was intended, so the user is not recreated silently.
      await endAzureUsers(tx, [user.id])
      return { next: 0 }
    }
    const disabled = current.state === 'existing' && !current.enabled
    return {
      set: {
        absent_at: isDeleted ? since.absent_at : null,
        ...(access_pass_ends_at !== null && access_pass_ends_at <= now && NO_ACCESS_PASS),
        last_error: disabled ? 'The user was disabled in the directory outside of this portal.' : null,
      },
      next: isDeleted ? 60 : READ_SECONDS,
    }
  }
}

/** Blocks the user, deletes it permanently, then polls until nothing remains. */
async function endUser(
  { identity }: UserDependencies,
  user: AzureUserRow,
  signal: AbortSignal,
): Promise<Result<AzureUserRow>> {
  const current = await identity.getUser(userRef(user), signal)
  const objectId = current.state === 'absent' ? user.object_id : current.objectId
  if (objectId === null) return (tx, row) => endIfAbsent(tx, row, current)
  // A user that was not seen is blocked too, because a read may not show it yet.
  await identity.blockUser(objectId, signal)
  const remove: Step<AzureUserRow> = async (_user, nextSignal) => {
    await identity.deleteUser(objectId, nextSignal)
    const left = await identity.getUser({ ...userRef(user), objectId }, nextSignal)
    return (tx, row) => endIfAbsent(tx, row, left)
  }
  if (user.blocked_at !== null && objectId === user.object_id) return remove(user, signal)
  return (_tx, { now }) => ({ set: { object_id: objectId, blocked_at: now }, next: remove })
}

async function endIfAbsent(
  tx: Tx,
  { id, now, absent_at, create_sent_at }: LockedRow<AzureUserRow>,
  seen: DirectoryUserState,
): Promise<Outcome<AzureUserRow>> {
  if (seen.state !== 'absent') return { set: { absent_at: null }, next: 10 }
  const since = { absent_at: absent_at ?? now, create_sent_at }
  const sandbox = await tx
    .selectFrom('sandbox')
    .select('id')
    .where('azure_user_id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  // Reads may miss a new user, and its deletion may miss it too, so the longer time applies.
  const pause = secondsUntil(vanishedAt(since), now)
  if (sandbox !== undefined || pause > 0) return { set: { absent_at: since.absent_at }, next: Math.max(10, pause) }
  return { set: { absent_at: since.absent_at, ended_at: now, first_password: null, ...NO_ACCESS_PASS }, next: 'never' }
}

const userRef = ({ id, email, object_id }: AzureUserRow) => ({ id, signInName: email, objectId: object_id })
