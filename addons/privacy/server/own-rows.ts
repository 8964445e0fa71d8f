import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Owner, PersonalData } from '@trainyard/platform/server/core/tables.ts'
import { inOrganisation, type Person } from './queries.ts'

/** Returns the SQL condition that a row belongs to the person. */
export function ownRows(owner: Owner, person: Person): RawBuilder<unknown> {
  if ('user' in owner) return sql`${sql.id(owner.user)} = any(${person.users}::uuid[])`
  if ('address' in owner) return sql`${sql.id(owner.address)} = any(${person.addresses}::text[])`
  return owner.condition(person)
}

/**
 * Returns an SQL condition. It is true for rows of the organisation, and for rows of its accounts.
 * @param organisation null: every row
 */
export function rowsInScope(
  alias: string,
  { owner }: PersonalData,
  { organisation, hasColumn }: { readonly organisation: OrganisationId | null; readonly hasColumn: boolean },
): RawBuilder<unknown> {
  if (hasColumn) return inOrganisation(alias, organisation)
  // Lab users belong to no organisation, and any organisation can add a user with the address of one.
  return organisation !== null && owner !== null && 'address' in owner ? sql`false` : sql`true`
}
