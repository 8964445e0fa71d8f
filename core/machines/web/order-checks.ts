import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import type { CreditLimit } from './useCreditLimit.ts'

interface ExistingMachine {
  readonly email: string
  readonly isAlive: boolean
  readonly status: string
}

/** Returns the learners with a machine. Machines that are being deleted do not count. */
export function learnersWithMachine(emails: readonly string[], machines: readonly ExistingMachine[]): string[] {
  const having = new Set(
    machines.filter(({ isAlive, status }) => isAlive && status !== 'Deleting').map(({ email }) => email),
  )
  return emails.filter((email) => having.has(email))
}

/** @param total price of the allocated hours in rupees; null without a limit */
export function beyondCreditLimit(organization: string, total: number | null, credit: CreditLimit): string | null {
  if (total === null) return credit.left > 0 ? null : `No credit is left for ${organization}.`
  return total > credit.left
    ? `This exceeds the remaining credit of ${organization} by ${formatRupees(total - credit.left)}.`
    : null
}

interface CreditLimitQuery {
  readonly data: CreditLimit | undefined
  readonly isError: boolean
}

/** Returns null if no warning is needed, undefined while the credit is loading. */
export function creditLimitWarning(
  organization: string,
  total: number | null,
  { data, isError }: CreditLimitQuery,
): string | null | undefined {
  if (data !== undefined) return beyondCreditLimit(organization, total, data)
  return isError ? `Could not check the remaining credit of ${organization}.` : undefined
}

const NAMED = 8

export function namesOf(emails: readonly string[]): string {
  const hiddenCount = emails.length - NAMED
  return hiddenCount > 0 ? `${emails.slice(0, NAMED).join(', ')} and ${hiddenCount} more` : emails.join(', ')
}
