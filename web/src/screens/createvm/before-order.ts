import { formatRupees } from '@trainyard/contract/words/money.ts'
import type { Credit } from './useCredit.ts'

/** A learner's machine, as far as an order needs it. */
interface Had {
  readonly email: string
  readonly isAlive: boolean
  readonly status: string
}

/** Returns the e-mails that have a machine already, in the order's order; one that is being deleted does not count. */
export function havingMachines(emails: readonly string[], machines: readonly Had[]): string[] {
  const having = new Set(
    machines.filter(({ isAlive, status }) => isAlive && status !== 'Deleting').map(({ email }) => email),
  )
  return emails.filter((email) => having.has(email))
}

/**
 * Returns the sentence that an order exceeds the credit left; null: it does not.
 * @param total what it costs for the hours allotted, in rupees; null: without limit
 */
export function beyondCredit(organization: string, total: number | null, credit: Credit): string | null {
  if (total === null) return credit.left > 0 ? null : `Nothing is left of the credit limit of ${organization}.`
  return total > credit.left ? `This is ${formatRupees(total - credit.left)} more than ${organization} has left.` : null
}

interface Asked {
  readonly data: Credit | undefined
  readonly isError: boolean
}

/**
 * Returns the sentence that a person has to agree to before an order, since it goes beyond the credit limit or nobody
 * can say that it doesn't; null: there is none; undefined: it is not known yet.
 */
export function creditQuestion(
  organization: string,
  total: number | null,
  { data, isError }: Asked,
): string | null | undefined {
  if (data !== undefined) return beyondCredit(organization, total, data)
  return isError ? `It could not be looked up what is left of the credit limit of ${organization}.` : undefined
}

/** The most names in a sentence. */
const NAMED = 8

/** 'a@x.test, b@x.test and 3 more'. */
export function namesOf(emails: readonly string[]): string {
  const more = emails.length - NAMED
  return more > 0 ? `${emails.slice(0, NAMED).join(', ')} and ${more} more` : emails.join(', ')
}
