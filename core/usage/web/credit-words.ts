import { formatAbout } from '@trainyard/platform/contract/words/money.ts'
import type { Outlook } from './money-days.ts'

type Credit = NonNullable<Outlook['credit']>

/** Returns the amount of credit, without its sign, and its words: "₹500" and "over the credit limit". */
export function creditWords({ kind, leftPaise }: Credit): readonly [amount: string, words: string] {
  const credit = kind === 'prepaid' ? 'prepaid credit' : 'credit'
  const over = kind === 'prepaid' ? credit : 'credit limit'
  return [formatAbout(Math.abs(leftPaise)), leftPaise < 0 ? `over the ${over}` : `${credit} left`]
}

export const usageWords = ({ countsUsage }: Credit): string =>
  countsUsage ? 'after the usage so far' : 'before usage not invoiced yet'
