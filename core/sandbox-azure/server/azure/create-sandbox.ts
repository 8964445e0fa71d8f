import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { azureSandbox } from '@trainyard/lab-users/contract/sandbox.ts'
import { SANDBOX_HOURS } from '@trainyard/platform/contract/words/limits.ts'
import { canCreateSandbox } from '@trainyard/lab-users/contract/sandbox-words.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, conflict } from '@trainyard/platform/server/core/errors.ts'
import { ownGroupName } from './group-name.ts'
import { sandboxCredits } from './view.ts'

/** @param limit null: none of the operator @throws Problem conflict if no credits are left, at the limit, or the name is taken */
export async function createSandbox(
  tx: Tx,
  actor: Actor,
  request: BodyOf<typeof azureSandbox.create>,
  limit: number | null,
): Promise<void> {
  const user = await tx
    .selectFrom('azure_user')
    .select(['id', 'end_at', 'total_paise', 'consumed_paise'])
    .where('account_id', '=', actor.id)
    .where('desired', '=', 'ready')
    .forUpdate()
    .executeTakeFirst()
  if (user === undefined) throw notFound('lab user')
  const group_name = ownGroupName(user.id, request.resourceGroupName)
  const { live } = await tx
    .selectFrom('sandbox')
    .select((q) => q.fn.countAll<number>().as('live'))
    .where('azure_user_id', '=', user.id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  const may = canCreateSandbox({ credits: sandboxCredits(user), live, limit })
  if (may !== true) throw conflict(may)
  const created = await tx
    .insertInto('sandbox')
    .values({
      group_name,
      azure_user_id: user.id,
      location: request.resourceGroupLocation,
      delete_at: sql<Date>`least(portal_now() + make_interval(hours => ${SANDBOX_HOURS}), ${user.end_at})`,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw conflict(`The name ${group_name} is taken. Please choose another one.`)
  await notifyWorkers(tx, 'sandbox')
}
