import { type RawBuilder, sql } from 'kysely'
import { sqlHook } from '@trainyard/platform/server/core/events.ts'

/**
 * SQL: true for a session that is neither expired nor idle. For superadmins within an organisation, the shorter of the
 * two idle limits applies.
 */
export const sessionIsValid = (session = 'session'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${session}.expires_at`)} > portal_now() and not exists (
    select from portal_user holder
      left join organisation on organisation.id = holder.organisation_id
      cross join lateral (select organisation.idle_minutes as organisation_limit, ${sql.ref(`${session}.idle_minutes`)} as installation_limit) as idle
    where holder.id = ${sql.ref(`${session}.user_id`)}
      and ${sql.ref(`${session}.seen_at`)} <= portal_now() - make_interval(
        mins => case holder.role when 'superadmin' then least(organisation_limit, installation_limit)
          else coalesce(organisation_limit, installation_limit) end)))`

/** SQL: true if another person set the user's password and the organisation requires users to change it. */
export const mustChangePassword = sql<boolean>`portal_user.password_given
  and coalesce(organisation.password_change_required, false)`

/** The valid sign-ins of users: SELECT statements with the columns `token_hash` and `user_id`. */
export const signIns = sqlHook<null, unknown>('users.signIns', (more) =>
  sql.join([sql`select token_hash, user_id from session where ${sessionIsValid()}`, ...more], sql` union all `),
)
