import { type RawBuilder, sql } from 'kysely'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { GRACE_DAYS } from '../contract/second-factor-words.ts'
import type { DutyColumn } from '@trainyard/users/server/restricted.ts'

/**
 * SQL: true if the user needs a second factor. The organisation's rule overrides the installation's rule, except for
 * superadmins.
 */
const required = (rule: SecondFactorRule): RawBuilder<boolean> => sql<boolean>`portal_user.password_hash is not null
  and (portal_user.role = 'superadmin' or coalesce(organisation.passwords_allowed, true)) and case portal_user.role
  when 'superadmin' then ${rule}::text = 'required' or organisation.second_factor is not distinct from 'required'
  when 'admin' then coalesce(organisation.second_factor, ${rule}::text) = 'required'
  else false end`

const due = sql`greatest(portal_user.role_since, organisation.second_factor_since) + make_interval(days => ${GRACE_DAYS})`

const hasFactor = sql`(exists (select from authenticator_app a where a.user_id = portal_user.id)
  or exists (select from passkey p where p.user_id = portal_user.id))`

/** SQL: the duty of a user to have a second factor, see `secondFactorDuty`. */
export const dutySql = (rule: SecondFactorRule): RawBuilder<DutyColumn | null> => sql<DutyColumn | null>`
  case when ${required(rule)} then jsonb_build_object('due', ${due}, 'state',
    case when ${hasFactor} then 'met' when ${due} <= portal_now() then 'overdue' else 'open' end) end`
