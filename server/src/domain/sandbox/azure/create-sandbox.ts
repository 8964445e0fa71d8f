import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { azureSandbox } from '@trainyard/contract/calls/sandbox.ts'
import { SANDBOX_HOURS, SANDBOX_RESERVE_RUPEES } from '@trainyard/contract/words/limits.ts'
import { paise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../http/actor.ts'
import { absent, conflict } from '../../../http/problem.ts'
import { ownGroupName } from './group-name.ts'
import { nudge, SANDBOX_DUE } from './wake.ts'

/** What each new sandbox sets aside of its user's credits, or all that is left where that is less. */
export const RESERVE = paise(SANDBOX_RESERVE_RUPEES * 100)

/**
 * Writes a sandbox down as wanted, with its share of the credits set aside. The user's row is held from the look at
 * the credits until the share is taken, so that no two creations spend the same rupee.
 * @throws Problem conflict: no credits left, or the name taken by anybody
 */
export async function createSandbox(tx: Tx, actor: Actor, asked: BodyOf<typeof azureSandbox.create>): Promise<void> {
  const user = await tx
    .selectFrom('azure_user')
    .select(['id', 'end_at', 'total_paise', 'reserved_paise', 'consumed_paise'])
    .where('account_id', '=', actor.id)
    .where('desired', '=', 'ready')
    .forUpdate()
    .executeTakeFirst()
  if (user === undefined) throw absent('lab user')
  const group_name = ownGroupName(user.id, asked.resourceGroupName)
  const free = user.total_paise - user.reserved_paise - user.consumed_paise
  if (free <= 0) throw conflict(noCredits(user.reserved_paise > 0))
  const share = paise(Math.min(RESERVE, free))
  const made = await tx
    .insertInto('sandbox')
    .values({
      group_name,
      azure_user_id: user.id,
      location: asked.resourceGroupLocation,
      delete_at: sql<Date>`least(portal_now() + make_interval(hours => ${SANDBOX_HOURS}), ${user.end_at})`,
      reserved_paise: share,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) throw conflict(`The name ${group_name} is taken. Please choose another one.`)
  await sql`update azure_user set reserved_paise = reserved_paise + ${share} where id = ${user.id}`.execute(tx)
  await nudge(tx, SANDBOX_DUE)
}

const noCredits = (reserved: boolean): string =>
  reserved ? 'No credits are left: what is not used yet is set aside for your other sandboxes.' : 'No credits are left.'
