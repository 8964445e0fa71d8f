import { azureUserInvite } from '@trainyard/lab-users/server/jobs.ts'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { sandboxUser } from '@trainyard/lab-users/contract/sandbox.ts'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { SANDBOX_CREDIT_RUPEES } from '@trainyard/platform/contract/words/limits.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { addInvitation } from '@trainyard/users/server/invite-users.ts'
import { addLabUser, type LabUserDependencies, stillBeingEnded } from '@trainyard/lab-users/server/add-lab-user.ts'

const UNSET = 'Set AZURE_LAB_DOMAIN first: the directory domain of lab users’ sign-in names.'

export const CREDITS = paise(SANDBOX_CREDIT_RUPEES * 100)

/** @throws Problem conflict if the name is taken */
export async function createAzureUser(
  tx: Tx,
  request: BodyOf<typeof sandboxUser.create>,
  parts: LabUserDependencies,
): Promise<SandboxUserId> {
  const user = await addLabUser(tx, request, { ...parts, role: 'sandboxuser', missingDomain: UNSET })
  const created = await tx
    .insertInto('azure_user')
    .values({
      ...user,
      end_at: sql<Date>`portal_now() + make_interval(days => ${request.duration})`,
      total_paise: CREDITS,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw stillBeingEnded(user.email)
  const invitation = await addInvitation(tx, user.account_id)
  await parts.jobs.enqueue(tx, azureUserInvite, [{ user: user.id, invitation }])
  await notifyWorkers(tx, 'azure_user')
  return user.id
}
