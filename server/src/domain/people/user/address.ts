import { createHash } from 'node:crypto'
import { NO_MAILBOX } from '@trainyard/contract/words/email.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { emit, event } from '../../../core/events.ts'

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
