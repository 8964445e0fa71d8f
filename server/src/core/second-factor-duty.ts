import { type RawBuilder, sql } from 'kysely'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { GRACE_DAYS, SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import { Problem } from './errors.ts'
import { mustChangePassword } from './valid-session.ts'

export interface SecondFactorDuty {
  /** Time from which a user without a second factor can only make the calls that set up a second factor. */
  readonly due: Date
  readonly state: 'met' | 'open' | 'overdue'
}

export interface DutyColumns {
  readonly factor_due: Date | null
  readonly factor_overdue: boolean | null
  readonly has_factor: boolean
}

/**
 * SQL: true if the user needs a second factor. The organisation's rule overrides the installation's rule, except for
 * superadmins.
 */
const required = (rule: SecondFactorRule): RawBuilder<boolean> => sql<boolean>`portal_user.password_hash is not null
  and (portal_user.role = 'superadmin' or coalesce(organisation.passwords_allowed, true)) and case portal_user.role
  when 'superadmin' then ${rule}::text = 'required' or organisation.second_factor is not distinct from 'required'
  when 'admin' then coalesce(organisation.second_factor, ${rule}::text) = 'required'
  else false end`

const due = (rule: SecondFactorRule): RawBuilder<Date | null> => sql<Date | null>`case when ${required(rule)}
  then greatest(portal_user.role_since, organisation.second_factor_since) + make_interval(days => ${GRACE_DAYS}) end`

const hasFactor = sql<boolean>`(exists (select from authenticator_app a where a.user_id = portal_user.id)
  or exists (select from passkey p where p.user_id = portal_user.id))`

export const dutyColumns = (rule: SecondFactorRule) =>
  [
    due(rule).as('factor_due'),
    sql<boolean | null>`${due(rule)} <= portal_now()`.as('factor_overdue'),
    hasFactor.as('has_factor'),
  ] as const

/**
 * SQL: true if a user must change the password or set up a second factor before making other calls. Streams and sockets
 * of the user end then.
 * @param user alias of the user's row, other than `portal_user`
 */
export const isRestricted = (user: string, rule: SecondFactorRule): RawBuilder<boolean> => sql<boolean>`exists (
  select from portal_user left join organisation on organisation.id = portal_user.organisation_id
  where portal_user.id = ${sql.ref(`${user}.id`)}
    and (${mustChangePassword} or (${due(rule)} <= portal_now() and not ${hasFactor})))`

export function dutyOf({ factor_due, factor_overdue, has_factor }: DutyColumns): SecondFactorDuty | null {
  if (factor_due === null) return null
  return { due: factor_due, state: has_factor ? 'met' : factor_overdue ? 'overdue' : 'open' }
}

/**
 * @throws Problem secondFactorDue if the user's grace period has ended and the call does not set up a second factor
 */
export function requireSecondFactor(
  duty: SecondFactorDuty | null,
  allowedBeforeSecondFactor: boolean | undefined,
): void {
  if (duty?.state === 'overdue' && !allowedBeforeSecondFactor) throw new Problem('secondFactorDue', SECOND_FACTOR.due)
}
