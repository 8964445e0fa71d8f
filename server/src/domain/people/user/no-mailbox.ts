import { createHash } from 'node:crypto'

/** Domain of the addresses of users without a mailbox. It never exists (rfc-editor.org/rfc/rfc2606). */
export const NO_MAILBOX = 'no-mailbox.invalid'

/**
 * Returns the address of the account of a person without an e-mail address. The same identity gives the same address,
 * in any process.
 * @param identity the source of the identity and the person's ID there, for example issuer and subject
 */
export function addressWithoutMailbox(...identity: readonly string[]): string {
  // JSON, so that parts with separators cannot be confused.
  return `${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)}@${NO_MAILBOX}`
}
