import { type RawBuilder, sql } from 'kysely'

/**
 * The condition under which a row of `session` lets its person in: its days are not over, and it was not left unused for
 * longer than its organisation allows, or else the installation. Of superadmins among an organisation's people the
 * shorter limit of both holds.
 * @param session its name in the query
 */
export const sessionStands = (session = 'session'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${session}.expires_at`)} > portal_now() and not exists (
    select from portal_user holder
      left join organisation holds on holds.id = holder.organisation_id
      cross join lateral (select holds.idle_minutes as own, ${sql.ref(`${session}.idle_minutes`)} as here) as idle
    where holder.id = ${sql.ref(`${session}.user_id`)}
      and ${sql.ref(`${session}.seen_at`)} <= portal_now() - make_interval(
        mins => case holder.role when 'superadmin' then least(own, here) else coalesce(own, here) end)))`
