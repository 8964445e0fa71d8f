import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { NO_MAILBOX } from '@trainyard/platform/contract/words/email.ts'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { emit, event, hook, sqlHook } from '@trainyard/platform/server/core/events.ts'

/**
 * Returns the address of a user without an e-mail address. The same identity gives the same address,
 * in any process.
 * @param identity the source of the identity and the person's ID there, for example issuer and subject
 */
export function addressWithoutMailbox(...identity: readonly string[]): string {
  // The identity is encoded as JSON, so that parts with separators cannot be confused.
  return `${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)}@${NO_MAILBOX}`
}

export const hasMailbox = (email: string): boolean => !email.endsWith(`@${NO_MAILBOX}`)

/** A user whose address changes, with whatever bears the address. The person is the same. */
interface RenamedUser {
  readonly organisation: OrganisationId
  readonly from: string
  readonly to: string
}
export const usersRenamed = event<RenamedUser>('users.renamed')

export const addressChanged = (tx: Tx, organisation: OrganisationId, from: string, to: string): Promise<void> =>
  emit(tx, usersRenamed, [{ organisation, from, to }])

/**
 * Other names and addresses of a person: SELECT statements with the columns `name` and `address`, one of them null.
 * `users` is a query of the IDs of the person's users. An organisation limits the rows to its own; null: all.
 */
export const knownAs = sqlHook<
  { readonly email: string; readonly organisation: OrganisationId | null; readonly users: RawBuilder<unknown> },
  unknown
>('users.knownAs', (answers) =>
  answers.length === 0
    ? sql`select null::text as name, null::text as address where false`
    : sql.join(answers, sql` union all `),
)

/** True if another system chose the address of a user, so that the user may have no access to the mailbox. */
export const isAddressUnproven = hook<{ readonly user: UserId; readonly email: string }, boolean>(
  'users.isAddressUnproven',
  false,
  (first, second) => first || second,
)
