import { EMAIL_LENGTH, splitEmails } from '@trainyard/contract/words/email.ts'

/** Typed Email IDs in order, without duplicates, including invalid ones. */
export type Entries = readonly string[]

/** The specification's rule, stricter than mail's. */
const ENTRY_PATTERN = /^[A-Za-z0-9._-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,6}$/

export const isValidEntry = (entry: string): boolean => entry.length <= EMAIL_LENGTH && ENTRY_PATTERN.test(entry)

export const addEntries = (entries: Entries, typed: string): Entries => [
  ...new Set([...entries, ...splitEmails(typed)]),
]

export const removeEntry = (entries: Entries, entry: string): Entries => entries.filter((other) => other !== entry)

export const validOf = (entries: Entries): string[] => entries.filter(isValidEntry)

export function describeEntries(entries: Entries): string {
  const valid = validOf(entries).length
  const invalid = entries.length - valid
  const counted = `${valid} ${valid === 1 ? 'e-mail' : 'e-mails'}`
  return invalid === 0 ? counted : `${counted}, ${invalid} invalid and ignored`
}
