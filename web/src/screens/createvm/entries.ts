import { EMAIL_LENGTH, splitEmails } from '@trainyard/contract/words/email.ts'

/** The Email IDs typed so far, in order, each once, the invalid ones among them. */
export type Entries = readonly string[]

/**
 * The spec's rule for an entry, narrower than mail's: a plain local part, @, a domain, a top level of 2 to 6 letters.
 */
const ENTRY_PATTERN = /^[A-Za-z0-9._-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,6}$/

export const isValidEntry = (entry: string): boolean => entry.length <= EMAIL_LENGTH && ENTRY_PATTERN.test(entry)

/** Adds what was typed or pasted: split on whitespace and commas, each address once. */
export const addEntries = (entries: Entries, typed: string): Entries => [
  ...new Set([...entries, ...splitEmails(typed)]),
]

export const removeEntry = (entries: Entries, entry: string): Entries => entries.filter((other) => other !== entry)

/** The addresses that get a machine each. */
export const validOf = (entries: Entries): string[] => entries.filter(isValidEntry)

/** Describes the entries in words: '3 e-mails, 1 invalid and left out'. */
export function describeEntries(entries: Entries): string {
  const valid = validOf(entries).length
  const invalid = entries.length - valid
  const counted = `${valid} ${valid === 1 ? 'e-mail' : 'e-mails'}`
  return invalid === 0 ? counted : `${counted}, ${invalid} invalid and left out`
}
