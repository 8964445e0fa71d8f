import { createHash } from 'node:crypto'
import { NO_MAILBOX } from '@trainyard/contract/words/email.ts'

/**
 * Returns the address of the account of a person without an e-mail address. The same identity gives the same address,
 * in any process.
 * @param identity the source of the identity and the person's ID there, for example issuer and subject
 */
export function addressWithoutMailbox(...identity: readonly string[]): string {
  // The identity is encoded as JSON, so that parts with separators cannot be confused.
  return `${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)}@${NO_MAILBOX}`
}

export const hasMailbox = (email: string): boolean => !email.endsWith(`@${NO_MAILBOX}`)
