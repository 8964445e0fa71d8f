import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { requireAnotherAdmin, requireAnotherSuperadmin } from '@trainyard/users/server/last-admin.ts'
import { selectPerson, countObstacles, type Person } from './queries.ts'

/**
 * Returns the identifiers of the person who is the user or lab user with this address.
 * @param organisation organisation whose users, names and addresses are read; null: all organisations, and lab users
 */
export async function personOf(db: Db, email: string, organisation: OrganisationId | null): Promise<Person> {
  const { rows } = await selectPerson(db, email, organisation)
  return rows[0]!
}

/**
 * Throws if the person's data cannot be erased yet: because the person is the last admin, or has machines, lab users
 * or payments that have not ended.
 * @param organisation organisation whose rows are erased; null: all organisations, and lab users
 * @throws Problem conflict
 */
export async function requireErasable(
  tx: Tx,
  { users, addresses }: Person,
  organisation: OrganisationId | null,
): Promise<void> {
  for (const id of users) {
    const user = await tx
      .selectFrom('portal_user')
      .select(['id', 'role', 'organisation_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (user.role === 'superadmin') await requireAnotherSuperadmin(tx, (each) => each.id === id)
    await requireAnotherAdmin(tx, user, 'leaves')
  }

  const { rows } = await countObstacles(tx, addresses, organisation, users)
  const { machines, labs, payments } = rows[0]!
  const open = [
    ...(machines > 0 ? [`delete or hand over ${machines === 1 ? '1 machine' : `${machines} machines`}`] : []),
    ...(labs > 0 ? [`end ${labs === 1 ? '1 lab user' : `${labs} lab users`}`] : []),
    ...(payments > 0 ? [`wait for ${payments === 1 ? '1 open payment' : `${payments} open payments`}`] : []),
  ]
  if (open.length > 0) throw conflict(`The data cannot be erased yet. First ${open.join(', and ')}.`)
}
