import { type RawBuilder, sql } from 'kysely'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { SecondFactorDuty } from '@trainyard/platform/server/core/second-factor-duty.ts'
import { mustChangePassword } from './valid-session.ts'

/** A duty as JSON, with the time as text. */
export interface DutyColumn {
  readonly due: string
  readonly state: SecondFactorDuty['state']
}

/**
 * The duty of a user to have a second factor: SQL on the rows `portal_user` and `organisation`, null for a user without
 * this duty.
 */
export const secondFactorDuty = sqlHook<SecondFactorRule, DutyColumn | null>(
  'users.secondFactorDuty',
  ([answered]) => answered ?? sql<null>`null::jsonb`,
)

export const dutyOf = (column: DutyColumn | null): SecondFactorDuty | null =>
  column && { due: new Date(column.due), state: column.state }

/**
 * SQL: true if a user must change the password or set up a second factor before making other calls. Streams and sockets
 * of the user end then.
 * @param user alias of the user's row, other than `portal_user`
 */
export const isRestricted = (user: string, rule: SecondFactorRule): RawBuilder<boolean> => sql<boolean>`exists (
  select from portal_user left join organisation on organisation.id = portal_user.organisation_id
  where portal_user.id = ${sql.ref(`${user}.id`)}
    and (${mustChangePassword} or (${sqlOf(secondFactorDuty, rule)}) ->> 'state' = 'overdue'))`
