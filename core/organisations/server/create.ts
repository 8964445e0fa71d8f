import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'

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
