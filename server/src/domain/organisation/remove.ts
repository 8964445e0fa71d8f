import { sql } from 'kysely'
import type { Tx } from '../../db/schema.ts'
import { conflict } from '../../http/problem.ts'
import { keepASuperadmin } from './last-superadmin.ts'
import { holdOrganisation, organisationNamed } from './reach.ts'

/**
 * Ends an organisation: its users, their sessions and its cards go; its row, machines, runs and bills stay as history,
 * and its name is free again. Answers its name as it was written.
 * @throws Problem absent, or conflict while machines of it live
 */
export async function removeOrganisation(tx: Tx, named: string): Promise<string> {
  const { id, name } = await organisationNamed(tx, named)
  // Orders hold it to use it, so that none slips in between the count and the end.
  await holdOrganisation(tx, id, 'remove')
  const { live } = await tx
    .selectFrom('machine')
    .select((eb) => eb.fn.countAll<number>().as('live'))
    .where('organisation_id', '=', id)
    .where('terminated_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (live > 0) {
    const machines = live === 1 ? 'a live machine' : `${live} live machines`
    throw conflict(`${name} still has ${machines}. Delete its trainings first.`)
  }
  await keepASuperadmin(tx, (user) => user.organisation_id === id)
  await tx.deleteFrom('portal_user').where('organisation_id', '=', id).execute()
  await tx.deleteFrom('template_assignment').where('organisation_id', '=', id).execute()
  await tx
    .updateTable('organisation')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .execute()
  return name
}
