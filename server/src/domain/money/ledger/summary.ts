import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { ledger } from '@trainyard/contract/calls/ledger.ts'
import { type Paise, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'

type Summary = ReplyOf<typeof ledger.summary>

interface Line {
  readonly name: string
  readonly organization: string
  readonly invoice: Paise
  readonly payment: Paise
}

/** Largest debt first. A deleted organisation is listed only while its balance is not zero. */
export async function ledgerSummary(db: Db): Promise<Summary> {
  const { rows } = await sql<Line>`
    select case when removed_at is null then name else name || ' (deleted)' end as name, name as organization,
      coalesce(invoice_paise, 0) as invoice, coalesce(payment_paise, 0) as payment
    from organisation left join ledger_balance on organisation_id = organisation.id
    where removed_at is null or invoice_paise <> payment_paise
    order by coalesce(invoice_paise - payment_paise, 0) desc, lower(name), organisation.id`.execute(db)
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
