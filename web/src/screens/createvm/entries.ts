import { EMAIL_LENGTH, splitEmails } from '@trainyard/contract/words/email.ts'

/** Typed Email IDs in order, without duplicates, including invalid ones. */
export type Entries = readonly string[]

/**
 * The specification's rule, stricter than mail's: a plain local part, @, a domain, and a top level of 2 to 6 letters.
 */
const ENTRY_PATTERN = /^[A-Za-z0-9._-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,6}$/

export const isValidEntry = (entry: string): boolean => entry.length <= EMAIL_LENGTH && ENTRY_PATTERN.test(entry)

/** Adds typed or pasted text: split on whitespace and commas, without duplicates. */
export const addEntries = (entries: Entries, typed: string): Entries => [
  ...new Set([...entries, ...splitEmails(typed)]),
]

export const removeEntry = (entries: Entries, entry: string): Entries => entries.filter((other) => other !== entry)

/** Returns the valid addresses; each gets a machine. */
export const validOf = (entries: Entries): string[] => entries.filter(isValidEntry)

/** Describes the entries, such as '3 e-mails, 1 invalid and ignored'. */
export function describeEntries(entries: Entries): string {
  const valid = validOf(entries).length
  const invalid = entries.length - valid
  const counted = `${valid} ${valid === 1 ? 'e-mail' : 'e-mails'}`
  return invalid === 0 ? counted : `${counted}, ${invalid} invalid and ignored`
}
