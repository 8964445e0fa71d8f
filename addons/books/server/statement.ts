import type { AccountStatement } from '../contract/books.ts'
import { periodOf, STATEMENT_MAX } from '../contract/books-words.ts'
import { balanceChange } from '@trainyard/ledger/contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { customerOf, legalNameOf } from '@trainyard/invoices/server/customer.ts'
import { selectStatement, type Entry } from './queries.ts'

/** @throws Problem conflict if the period has more entries than a statement allows */
export async function statementOf(db: Db, id: OrganisationId, period: string): Promise<AccountStatement> {
  const { from, to } = periodOf(period)
  const customer = await customerOf(db, id)
  const { rows: found } = await selectStatement(db, id, from, to)
  const { opening: openingPaise, rows } = found[0]!
  if (rows.length > STATEMENT_MAX) {
    throw conflict('This period has more than 5,000 entries. Choose a month, or save the account as CSV.')
  }
  let balancePaise = openingPaise
  const entries = rows.map(({ date, particular, kind, id: reference, amount }) => {
    const owedPaise = balanceChange(kind, amount)
    balancePaise += owedPaise
    return { date, particular, kind, id: reference, owedPaise, balancePaise }
  })
  const sum = (of: (entry: Entry) => boolean) => rows.filter(of).reduce((total, { amount }) => total + amount, 0)
  return {
    organization: customer.name,
    legalName: legalNameOf(customer),
    gst: customer.gst,
    from,
    to,
    openingPaise,
    closingPaise: balancePaise,
    sums: {
      invoices: sum(({ kind }) => kind === 'invoice'),
      creditNotes: sum(({ kind, issued }) => kind === 'payment' && issued),
      payments: sum(({ kind, issued }) => kind === 'payment' && !issued),
      tds: sum(({ kind }) => kind === 'tds'),
      refunds: sum(({ kind }) => kind === 'refund'),
      reversals: rows
        .filter(({ kind }) => kind.endsWith(' reversal'))
        .reduce((total, { kind, amount }) => total + balanceChange(kind, amount), 0),
      writeOffs: sum(({ kind }) => kind === 'write-off'),
    },
    entries,
  }
}
