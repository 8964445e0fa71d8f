import { formatRupees } from '@trainyard/contract/words/money.ts'
import type { Credit } from './useCredit.ts'

/** What of a machine tells whether a learner has one already. */
interface Had {
  readonly email: string
  readonly isAlive: boolean
  readonly status: string
}

/** Those of the e-mails that have a machine already, in the order's order; one that is being deleted is none. */
export function havingMachines(emails: readonly string[], machines: readonly Had[]): string[] {
  const having = new Set(
    machines.filter(({ isAlive, status }) => isAlive && status !== 'Deleting').map(({ email }) => email),
  )
  return emails.filter((email) => having.has(email))
}

/**
 * The sentence that an order goes beyond what is left of the credit limit; null: it does not, as far as can be said.
 * @param total what it costs for the hours allotted, in rupees; null: without limit
 */
export function beyondCredit(organization: string, total: number | null, credit: Credit | undefined): string | null {
  if (credit === undefined) return null
  if (total === null) return credit.left > 0 ? null : `Nothing is left of the credit limit of ${organization}.`
  return total > credit.left ? `This is ${formatRupees(total - credit.left)} more than ${organization} has left.` : null
}

/** At most so many are named. */
const NAMED = 8

/** 'a@x.test, b@x.test and 3 more'. */
export function namesOf(emails: readonly string[]): string {
  const more = emails.length - NAMED
  return more > 0 ? `${emails.slice(0, NAMED).join(', ')} and ${more} more` : emails.join(', ')
}
