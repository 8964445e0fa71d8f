import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'

/** @throws Problem conflict if there is an organisation with this name */
export async function createOrganisation(tx: Tx, name: string): Promise<OrganisationId> {
  const created = await tx
    .insertInto('organisation')
    .values({ name, logo: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw conflict(`There is already an organisation named ${name}.`)
  return created.id
}
