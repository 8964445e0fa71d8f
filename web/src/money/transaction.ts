import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { numberProblem, parseRupees } from '@trainyard/contract/words/money.ts'

export type TransactionType = 'invoice' | 'payment'

export interface TransactionForm {
  readonly organization: string
  readonly id: string
  readonly amount: string
  /** YYYY-MM-DD, or empty. */
  readonly date: string
  /** Tax deducted from a payment, or empty. */
  readonly tds: string
}

type TransactionProblems = Partial<Record<keyof TransactionForm, string>>

export function problemsOf({ organization, id, amount, date, tds }: TransactionForm, type: TransactionType) {
  const problems: TransactionProblems = {}
  const rupees = parseRupees(amount)
  if (organization === '') problems.organization = ALERTS.organisationRequired
  if (id.trim() === '') problems.id = type === 'invoice' ? ALERTS.invoiceIdRequired : ALERTS.paymentIdRequired
  if (rupees === null && Number(amount) > 0) problems.amount = 'Enter rupees with at most two decimals.'
  else if (rupees === null || rupees <= 0) problems.amount = numberProblem(amount, ALERTS.amountRequired)
  if (tds.trim() !== '' && (parseRupees(tds) ?? 0) <= 0)
    problems.tds = numberProblem(tds, 'Enter rupees, or leave the field empty.')
  if (date === '') problems.date = ALERTS.dateRequired
  return problems
}
