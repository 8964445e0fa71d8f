import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Owner, PersonalData } from '../../core/tables.ts'
import { inOrganisation, type Person } from './queries.ts'

/** SQL expression for the LMS of a row, keyed by the column that refers to it. */
const PLATFORM = {
  platform_id: 'platform_id',
  course_id: '(select c.platform_id from lms_course c where c.id = course_id)',
  link_id: '(select c.platform_id from lms_link l join lms_course c on c.id = l.course_id where l.id = link_id)',
} as const

/** Returns the SQL condition that a row belongs to the person. */
export function ownRows(owner: Owner, person: Person): RawBuilder<unknown> {
  if ('user' in owner) return sql`${sql.id(owner.user)} = any(${person.users}::uuid[])`
  if ('address' in owner) return sql`${sql.id(owner.address)} = any(${person.addresses}::text[])`
  if ('lmsSubject' in owner) {
    return sql`(${sql.id(owner.lmsSubject)}, ${sql.raw(PLATFORM[owner.lmsOf])}) in (
      select subject, platform from jsonb_to_recordset(${JSON.stringify(person.lmsIdentities)}::jsonb)
        as identity (subject text, platform uuid))`
  }
  if ('scimUser' in owner) return sql`${sql.id(owner.scimUser)} = any(${person.scimUsers}::text[])`
  return sql`${sql.id(owner.remoteSession)} in (
    select id from remote_session where email = any(${person.addresses}::text[]))`
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
