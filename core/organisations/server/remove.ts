import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import { lockOrganisation, type OrganisationInScope, organisationByName } from './scope.ts'

/** An organisation that is about to be removed. A listener throws a Problem if this is not possible yet. */
export const organisationRemoving = event<OrganisationInScope>('organisations.removing')

/** Removed organisations. Emitted before the change: each module deletes its rows. */
export const organisationsRemoved = event<OrganisationId>('organisations.removed')

/**
 * Removes an organisation. Its row, machines, runs and bills remain.
 * @throws Problem notFound, or conflict if a module still needs it
 */
export async function removeOrganisation(tx: Tx, named: string): Promise<string> {
  const organisation = await organisationByName(tx, named)
  const { id, name } = organisation
  // Orders take a weaker lock on the same row, so that no machine can be added after the checks.
  await lockOrganisation(tx, id, 'remove')
  await emit(tx, organisationRemoving, [organisation])
  await emit(tx, organisationsRemoved, [id])
  await tx.deleteFrom('organisation_logo').where('organisation_id', '=', id).execute()
  await tx
    .updateTable('organisation')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .execute()
  return name
}
