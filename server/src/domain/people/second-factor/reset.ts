import { sql } from 'kysely'
import { normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { writeAudit } from '../../../core/audit.ts'
import { CommandError } from '../../../core/errors.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { findAccount } from '../user/account.ts'
import { endSessionsOf } from '../user/sessions.ts'
import { factorsOf, hasFactor, holdFactors, removeFactors } from './factors.ts'
import { tellOwner } from './notice.ts'

/** Resets that wait for another superadmin. */
export const openResets = (db: Db) =>
  db.selectFrom('second_factor_reset').where('second_factor_reset.expires_at', '>', sql<Date>`portal_now()`)

/** Removes a person's second factors and ends their sessions: with the password alone they come in again. */
export async function resetFactors(tx: Tx, jobs: Jobs, user: UserId): Promise<void> {
  await holdFactors(tx, user)
  await removeFactors(tx, user)
  await tx.deleteFrom('second_factor_reset').where('user_id', '=', user).execute()
  await endSessionsOf(tx, user)
  await tellOwner(tx, jobs, user, 'reset')
}

/**
 * Removes a person's second factors for the operator at the machine itself: where there is one superadmin alone, no
 * other can confirm a reset.
 * @throws CommandError when there is no such person, or they have none
 */
export async function resetByOperator(db: Db, jobs: Jobs, given: string): Promise<void> {
  const email = normaliseEmail(given)
  await db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, { email })
    if (account === undefined) throw new CommandError(`There is no account ${email}.`)
    if (!hasFactor(await factorsOf(tx, account.actor.id))) throw new CommandError(`${email} has no second factor.`)
    await resetFactors(tx, jobs, account.actor.id)
    await writeAudit(tx, { call: 'operator.resetSecondFactor', requestId: 'operator', actor: null, asked: { email } })
  })
}
