import type { ReactNode } from 'react'
import { service, slot } from '@trainyard/platform/web/shell/module.ts'
import type { Period } from './periods.ts'
import type { Page, Statement } from './statement.ts'

/** Payment whose amount is fixed, for a request of the supplier or for a proforma invoice. */
export interface FixedPayment {
  readonly about: string
  readonly amountPaise: number
  readonly pays: { readonly request: string } | { readonly proforma: string }
}

/** Returns the dialog that makes a payment. */
export type Pay = (payment: FixedPayment, close: () => void) => ReactNode

/** Beside the heading of Billing History. */
export const ledgerActions = slot<object>('ledger.actions')
/** Sections of Billing History below the balances. */
export const ledgerSections = slot<object>('ledger.sections')

/** Beside the heading of Account. */
export const accountActions = slot<{ organization: string }>('account.actions')
/** Sections of Account below its transactions. */
export const accountSections = slot<{ organization: string; pay: Pay }, { organization: string }>('account.sections')
/** Beside the ID of a payment. */
export const paymentActions = slot<{ id: string }>('ledger.payment-actions')
/** The account as printed. */
export const accountPaper = slot<{ legal: Page['legal']; statement: Statement; period: Period; today: string }>(
  'account.paper',
)

/** The field of Add Invoice for the month whose usage the invoice covers. */
export const coveredUsage = slot<{ organization: string; covers: (month: string | null) => void }>(
  'ledger.covered-usage',
)

/** The field of a dialog for the invoice that a receipt settles. */
export const settledInvoice = slot<{
  organization: string
  /** In rupees; null while it is not valid. */
  amount: number | null
  /** Called with the open amount, in rupees, of the invoice that the user chooses. */
  choose?: (open: number) => void
  /**
   * Called with the number of the invoice, null for the oldest first, or undefined until the invoices are loaded (the
   * server then chooses by the same rule).
   */
  settles: (invoice: string | null | undefined) => void
}>('ledger.settled-invoice')

/** True if a module records the tax of an invoice that a user enters. */
export const recordsTax = service<true>('ledger.records-tax')
/** True if a module records the tax that a payer deducted. */
export const recordsTds = service<true>('ledger.records-tds')
/** True if a payment can buy prepaid credit. */
export const sellsCredit = service<true>('ledger.sells-credit')
