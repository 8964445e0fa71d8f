import { sql } from 'kysely'
import type { OrganisationId } from '../contract/words/ids.ts'
import type { Db } from '../server/db/schema.ts'
import { template } from './orders.ts'

export async function addOrganisation(owner: Db, name: string): Promise<OrganisationId> {
  const { id } = await owner
    .insertInto('organisation')
    .values({ name, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await owner
    .insertInto('template')
    .values(template())
    .onConflict((on) => on.doNothing())
    .execute()
  await sql`insert into template_assignment (organisation_id, template_id) select ${id}, id from template`.execute(
    owner,
  )
  return id
}
