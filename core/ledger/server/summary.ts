import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ledger } from '../contract/ledger.ts'
import { type Paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectBalances, type Line } from './queries.ts'

type Summary = ReplyOf<typeof ledger.summary>

/** Largest debt first. A deleted organisation is listed only while its balance is not zero. */
export async function ledgerSummary(db: Db): Promise<Summary> {
  const { rows } = await selectBalances(db)
  const sum = (part: (line: Line) => number) => rupees(rows.reduce((total, line) => total + part(line), 0))
  return {
    totalInvoice: sum(({ invoice }) => invoice),
    totalPayment: sum(({ payment }) => payment),
    totalBalance: sum(({ invoice, payment }) => invoice - payment),
    ledger: rows.map(({ name, organization, invoice, payment }) => ({
      name,
      organization,
      invoice: rupees(invoice),
      payment: rupees(payment),
      balance: rupees(invoice - payment),
    })),
  }
}

const rupees = (paise: number): number => rupeesOfPaise(paise as Paise)
