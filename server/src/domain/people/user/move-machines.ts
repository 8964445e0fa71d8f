import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

/**
 * Moves the machines of an account whose address changes, and its rows in rosters, so that the machines are withheld
 * when the person leaves. The passwords do not change, because the machines belong to the same person.
 */
export async function moveMachines(tx: Tx, organisation: OrganisationId, from: string, to: string): Promise<void> {
  await sql`
    update machine set email = ${to}
    where organisation_id = ${organisation} and email = ${from} and terminated_at is null`.execute(tx)
  await sql`
    update roster_member set email = ${to} where organisation_id = ${organisation} and email = ${from}`.execute(tx)
}
