import { isEmail, splitEmails } from '@trainyard/contract/words/email.ts'

/** The Email IDs typed so far, in order, each once, the invalid ones among them. */
export type Entries = readonly string[]

/** Adds what was typed or pasted: split on whitespace and commas, each address once. */
export const addEntries = (entries: Entries, typed: string): Entries => [
  ...new Set([...entries, ...splitEmails(typed)]),
]

export const removeEntry = (entries: Entries, entry: string): Entries => entries.filter((other) => other !== entry)

/** The addresses that get a machine each. */
export const validOf = (entries: Entries): string[] => entries.filter(isEmail)

/** How the entries stand, in words: '3 e-mails, 1 invalid and left out'. */
export function describeEntries(entries: Entries): string {
  const valid = validOf(entries).length
  const invalid = entries.length - valid
  const counted = `${valid} ${valid === 1 ? 'e-mail' : 'e-mails'}`
  return invalid === 0 ? counted : `${counted}, ${invalid} invalid and left out`
}
