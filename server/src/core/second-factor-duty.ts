import { type RawBuilder, sql } from 'kysely'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { GRACE_DAYS, SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import { Problem } from './errors.ts'

/** That somebody needs a second factor. */
export interface SecondFactorDuty {
  /** The day from which nothing else is answered to who has none. */
  readonly due: Date
  readonly state: 'met' | 'open' | 'overdue'
}

/** The columns from which `dutyOf` reads a duty, in a query that has `portal_user` and, joined to it, `organisation`. */
export interface DutyColumns {
  readonly factor_due: Date | null
  readonly factor_overdue: boolean | null
  readonly has_factor: boolean
}

/**
 * Admins and superadmins need one where their organisation says so, or the installation does and the organisation says
 * nothing else; an organisation can't let its superadmins off. The days begin when it became so for them: with their
 * role, or with the organisation's setting. It stands beside the password: who has none needs none here, nor
 * an admin whose organisation lets its own provider alone say who they are.
 */
const required = (rule: SecondFactorRule): RawBuilder<boolean> => sql<boolean>`portal_user.password_hash is not null
  and (portal_user.role = 'superadmin' or coalesce(organisation.passwords_allowed, true)) and case portal_user.role
  when 'superadmin' then ${rule}::text = 'required' or organisation.second_factor is not distinct from 'required'
  when 'admin' then coalesce(organisation.second_factor, ${rule}::text) = 'required'
  else false end`

const due = (rule: SecondFactorRule): RawBuilder<Date | null> => sql<Date | null>`case when ${required(rule)}
  then greatest(portal_user.role_since, organisation.second_factor_since) + make_interval(days => ${GRACE_DAYS}) end`

export const dutyColumns = (rule: SecondFactorRule) =>
  [
    due(rule).as('factor_due'),
    sql<boolean | null>`${due(rule)} <= portal_now()`.as('factor_overdue'),
    sql<boolean>`exists (select from authenticator_app a where a.user_id = portal_user.id)
      or exists (select from passkey p where p.user_id = portal_user.id)`.as('has_factor'),
  ] as const

export function dutyOf({ factor_due, factor_overdue, has_factor }: DutyColumns): SecondFactorDuty | null {
  if (factor_due === null) return null
  return { due: factor_due, state: has_factor ? 'met' : factor_overdue ? 'overdue' : 'open' }
}

/** @throws Problem secondFactorDue, where somebody's days are over and the call is none that sets a factor up */
export function refuseWithoutFactor(duty: SecondFactorDuty | null, beforeSecondFactor: boolean | undefined): void {
  if (duty?.state === 'overdue' && !beforeSecondFactor) throw new Problem('secondFactorDue', SECOND_FACTOR.due)
}
