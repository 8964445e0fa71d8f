import { sql } from 'kysely'
import { isUuid } from './context.ts'
import type { RosterLists } from '../../lab/roster/http.ts'

/**
 * SQL: ID of the user of a member `m`; null if the value is not a UUID. Casting `scim_user.id` instead would prevent
 * the use of its index.
 */
export const MEMBER_ID = sql`case when m.value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then m.value::uuid end`

/** The groups of an organisation as lists of learners. Only members who are portal users are listed. */
export const groupLists: RosterLists = {
  kind: 'scim_group',

  async listsOf(db, organisation) {
    const { rows } = await sql<{ key: string; name: string; members: number }>`
      select g.id::text as key, g.display_name as name, (select count(*)::int from scim_group_member m
        where m.group_id = g.id) as members
      from scim_group g where g.organisation_id = ${organisation} order by lower(g.display_name) limit 1000`.execute(db)
    return rows
  },

  async membersOf(db, organisation, key) {
    if (!isUuid(key)) return null
    const { rows: groups } = await sql<{ name: string }>`
      select display_name as name from scim_group where id = ${key} and organisation_id = ${organisation}`.execute(db)
    if (groups[0] === undefined) return null
    const { rows } = await sql<{ id: string; email: string; name: string | null; active: boolean }>`
      select u.id::text, a.email, a.name, u.active
      from scim_group_member m join scim_user u on u.id = ${MEMBER_ID} and u.organisation_id = m.organisation_id
      join portal_user a on a.id = u.user_id and a.organisation_id = u.organisation_id
      where m.group_id = ${key} and m.organisation_id = ${organisation}`.execute(db)
    return {
      name: groups[0].name,
      members: rows.map(({ id, email, name, active }) => ({ externalId: id, email, name, role: 'learner', active })),
    }
  },
}
