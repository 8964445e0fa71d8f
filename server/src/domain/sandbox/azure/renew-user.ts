import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { sandboxUser } from '@trainyard/contract/calls/sandbox.ts'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { formatRupees, paiseOfRupees, type Paise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import { Problem } from '../../../core/errors.ts'
import type { LabUserParts } from '../lab-account.ts'
import { extended, findRenewable, madeAnew, putEndOff } from '../renew.ts'
import { createAzureUser } from './create-user.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import { SANDBOX_DUE } from './wake.ts'

/**
 * Gives a lab user more days or credits; one who has ended is made anew, since Azure has deleted the account for good.
 * Answers the sentence to show.
 */
export async function renewAzureUser(
  tx: Tx,
  { email, duration, credits }: BodyOf<typeof sandboxUser.renew>,
  parts: LabUserParts,
): Promise<string> {
  const found = await findRenewable(tx, 'azure_user', email)
  if (found.state === 'ended') {
    if (duration === undefined) throw new Problem('invalid', 'duration must say for how many days they are made anew.')
    const username = email.split('@', 1)[0]!
    const id = await createAzureUser(tx, { username, personalEmail: found.user.personal_email, duration }, parts)
    if (credits !== undefined) await addCredits(tx, id, paiseOfRupees(credits)!)
    return madeAnew(email, 'Azure')
  }
  const end = duration === undefined ? found.end_at : await putEndOff(tx, 'azure_user', found.id, duration)
  if (credits === undefined) return extended(email, end)
  await addCredits(tx, found.id, paiseOfRupees(credits)!)
  return `${extended(email, end)} ${formatRupees(credits)} of credits are added.`
}

/** Sandboxes that were frozen since nothing was left are made ready again. */
async function addCredits(tx: Tx, id: SandboxUserId, more: Paise): Promise<void> {
  await sql`update azure_user set total_paise = total_paise + ${more} where id = ${id}`.execute(tx)
  await sql`
    with frozen as (
      select id from sandbox where azure_user_id = ${id} and desired = 'frozen' order by id for update)
    update sandbox s set desired = 'ready', generation = generation + 1, reconcile_at = portal_now()
    from frozen where s.id = frozen.id`.execute(tx)
  await notifyWorkers(tx, SANDBOX_DUE)
}
