import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { requireAnotherSuperadmin } from './last-admin.ts'
import { lockOrganisation, type OrganisationInScope, organisationByName } from './scope.ts'
import { sessionsChanged } from '../../../core/session-changes.ts'

/** Throws a Problem if the organisation cannot be removed yet. */
export type RemovalCheck = (tx: Tx, organisation: OrganisationInScope) => Promise<void>

/**
 * Removes an organisation. Its row, machines, runs and bills remain.
 * @throws Problem notFound, or conflict while it has live machines
 */
export async function removeOrganisation(tx: Tx, named: string, checkRemoval: RemovalCheck): Promise<string> {
  const organisation = await organisationByName(tx, named)
  const { id, name } = organisation
  // Orders take a weaker lock on the same row, so that no machine can be added after the count.
  await lockOrganisation(tx, id, 'remove')
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
  await checkRemoval(tx, organisation)
  await requireAnotherSuperadmin(tx, (user) => user.organisation_id === id)
  await tx.deleteFrom('portal_user').where('organisation_id', '=', id).execute()
  for (const table of ['scim_token', 'scim_group', 'scim_user'] as const)
    await tx.deleteFrom(table).where('organisation_id', '=', id).execute()
  await tx.deleteFrom('identity_provider').where('organisation_id', '=', id).execute()
  await tx.deleteFrom('lms_platform').where('organisation_id', '=', id).execute()
  await tx.deleteFrom('organisation_domain').where('organisation_id', '=', id).execute()
  await tx.deleteFrom('webhook_endpoint').where('organisation_id', '=', id).execute()
  // With credentials of an app registration, and with the learners of the labs that were read.
  await tx.deleteFrom('lab_import').where('organisation_id', '=', id).execute()
  await tx.deleteFrom('organisation_logo').where('organisation_id', '=', id).execute()
  await tx.deleteFrom('template_assignment').where('organisation_id', '=', id).execute()
  await tx
    .updateTable('organisation')
    .set({ removed_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .execute()
  await sessionsChanged(tx)
  return name
}
