import { sql } from 'kysely'
import { normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { endSessionsOf } from '@trainyard/users/server/sessions.ts'
import { factorsOf, hasFactor, lockFactors, removeFactors } from './factors.ts'
import { enqueueFactorNotice } from './notice.ts'

export const openResets = (db: Db) =>
  db.selectFrom('second_factor_reset').where('second_factor_reset.expires_at', '>', sql<Date>`portal_now()`)

/** Removes the second factors of a user and ends the sessions. The user can then sign in with the password alone. */
export async function resetFactors(tx: Tx, jobs: JobQueue, user: UserId): Promise<void> {
  await lockFactors(tx, user)
  await removeFactors(tx, user)
  await tx.deleteFrom('second_factor_reset').where('user_id', '=', user).execute()
  await endSessionsOf(tx, user)
  await enqueueFactorNotice(tx, jobs, user, 'reset')
}

/**
 * Resets the second factors of the only superadmin, because no other one can confirm a reset.
 * @throws CommandError
 */
export async function resetByOperator(db: Db, jobs: JobQueue, value: string): Promise<void> {
  const email = normaliseEmail(value)
  await db.transaction().execute(async (tx) => {
    const found = await findSignInUser(tx, { email })
    if (found === undefined) throw new CommandError(`There is no account ${email}.`)
    if (!hasFactor(await factorsOf(tx, found.actor.id))) throw new CommandError(`${email} has no second factor.`)
    await resetFactors(tx, jobs, found.actor.id)
    await writeAudit(tx, { call: 'operator.resetSecondFactor', requestId: 'operator', actor: null, request: { email } })
  })
}
