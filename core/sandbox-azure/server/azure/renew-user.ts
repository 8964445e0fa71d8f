import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { sandboxUser } from '@trainyard/lab-users/contract/sandbox.ts'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees, paiseOfRupees, type Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { LabUserDependencies } from '@trainyard/lab-users/server/add-lab-user.ts'
import { extendedMessage, findRenewable, recreatedMessage, extendEnd } from '@trainyard/lab-users/server/renew.ts'
import { createAzureUser } from './create-user.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { addTotal } from './queries.ts'

/** Renews a lab user. An ended user is created again, because Azure has deleted the account permanently. */
export async function renewAzureUser(
  tx: Tx,
  { email, duration, credits }: BodyOf<typeof sandboxUser.renew>,
  parts: LabUserDependencies,
): Promise<string> {
  const found = await findRenewable(tx, 'azure_user', email)
  if (found.state === 'ended') {
    if (duration === undefined) throw new Problem('invalid', 'duration is required for a new account.')
    const username = email.split('@', 1)[0]!
    const id = await createAzureUser(tx, { username, personalEmail: found.user.personal_email, duration }, parts)
    if (credits !== undefined) await addCredits(tx, id, paiseOfRupees(credits)!)
    return recreatedMessage(email, 'Azure')
  }
  const end = duration === undefined ? found.end_at : await extendEnd(tx, 'azure_user', found.id, duration)
  if (credits === undefined) return extendedMessage(email, end)
  await addCredits(tx, found.id, paiseOfRupees(credits)!)
  return `${extendedMessage(email, end)} ${formatRupees(credits)} of credits were added.`
}

async function addCredits(tx: Tx, id: SandboxUserId, more: Paise): Promise<void> {
  await addTotal(tx, more, id)
  await setDesiredState(tx, 'sandbox', {
    rows: sql`select id from sandbox where azure_user_id = ${id} and desired = 'frozen' order by id for update`,
    set: sql`desired = 'ready'`,
  })
}
