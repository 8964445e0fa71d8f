import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { SAC_PATTERN } from '../contract/tax-document.ts'
import { numberProblem, parseNumber, parseRupees } from '@trainyard/platform/contract/words/money.ts'

export type TransactionType = 'invoice' | 'payment'

export interface TransactionForm {
  readonly organization: string
  readonly id: string
  readonly amount: string
  /** YYYY-MM-DD, or empty. */
  readonly date: string
  /** Tax deducted from a payment, or empty. */
  readonly tds: string
  /** Amount of an invoice before tax, its rate in per cent and its accounting code. Each may be empty. */
  readonly taxable: string
  readonly rate: string
  readonly sac: string
}

type TransactionProblems = Partial<Record<keyof TransactionForm, string>>

/** Returns the tax of an invoice as the call expects it; undefined if no tax was entered. */
export function taxOf({ taxable, rate, sac }: TransactionForm) {
  if (taxable.trim() === '') return undefined
  return {
    taxable: parseRupees(taxable)!,
    ...(rate.trim() !== '' && { basisPoints: Math.round(parseNumber(rate)! * 100) }),
    ...(sac.trim() !== '' && { sac: sac.trim() }),
  }
}

export function problemsOf(entered: TransactionForm, type: TransactionType) {
  const { organization, id, amount, date, tds, taxable, rate, sac } = entered
  const problems: TransactionProblems = {}
  const rupees = parseRupees(amount)
  if (organization === '') problems.organization = ALERTS.organisationRequired
  if (id.trim() === '') problems.id = type === 'invoice' ? ALERTS.invoiceIdRequired : ALERTS.paymentIdRequired
  if (rupees === null && Number(amount) > 0) problems.amount = 'Enter rupees with at most two decimals.'
  else if (rupees === null || rupees <= 0) problems.amount = numberProblem(amount, ALERTS.amountRequired)
  if (tds.trim() !== '' && (parseRupees(tds) ?? 0) <= 0)
    problems.tds = numberProblem(tds, 'Enter rupees, or leave the field empty.')
  if (date === '') problems.date = ALERTS.dateRequired
  if (taxable.trim() !== '' && (parseRupees(taxable) ?? 0) <= 0)
    problems.taxable = numberProblem(taxable, 'Enter rupees, or leave the field empty.')
  if (taxable.trim() === '' && (rate + sac).trim() !== '') problems.taxable = 'Enter the amount before tax.'
  const percent = parseNumber(rate)
  if (rate.trim() !== '' && (percent === null || percent < 0 || percent > 100))
    problems.rate = numberProblem(rate, 'Enter a rate such as 18, or leave the field empty.')
  if (sac.trim() !== '' && !SAC_PATTERN.test(sac.trim()))
    problems.sac = 'Enter an accounting code of services, such as 998315, or leave the field empty.'
  return problems
}
