import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import type { ListedQuote } from '../contract/quote.ts'
import type { OrganisationId, QuoteId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { QuoteRow } from '../tables.gen.ts'
import type { Lines } from '@trainyard/invoices/server/one-off.ts'
import { selectPaymentsOfQuotes, type Payment } from './queries.ts'

const NEWEST = 500

export interface QuoteInScope extends QuoteRow {
  readonly name: string
}

/**
 * Locks a quote for a change of its state.
 * @throws Problem notFound, the same for a quote of another organisation
 */
export async function lockQuote(tx: Tx, actor: Actor, number: string): Promise<QuoteInScope> {
  const found = await tx
    .selectFrom('quote')
    .innerJoin('organisation', 'organisation.id', 'quote.organisation_id')
    .selectAll('quote')
    .select('organisation.name')
    .where('quote.number', '=', number)
    .$if(actor.role !== 'superadmin', (query) =>
      query.where('quote.organisation_id', '=', actor.organisation?.id ?? (null as never)),
    )
    .forNoKeyUpdate('quote')
    .executeTakeFirst()
  if (found === undefined) throw notFound('quote')
  return found
}

/** Lists the newest quotes of an organisation, or of all. */
export async function listQuotes(db: Db, organisation: OrganisationId | null, today: string): Promise<ListedQuote[]> {
  const rows = await db
    .selectFrom('quote')
    .innerJoin('organisation', 'organisation.id', 'quote.organisation_id')
    .leftJoin('training', 'training.id', 'quote.prepaid_training')
    .select(['quote.id', 'number', 'organisation.name', 'issued_on', 'valid_until', 'state', 'lines', 'content'])
    .select(['prepaid', 'training.name as training'])
    .select(['created_by', 'decided_by', 'answer', 'proforma', 'proforma_on', 'proforma_content', 'invoice'])
    .$if(organisation !== null, (query) => query.where('quote.organisation_id', '=', organisation!))
    .orderBy('quote.created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(NEWEST)
    .execute()
  const payments = Map.groupBy(
    await paymentsOf(
      db,
      rows.map(({ id }) => id),
    ),
    ({ quote: id }) => id,
  )
  return rows.map((row) => {
    const paid = payments.get(row.id) ?? []
    const proforma =
      row.proforma === null
        ? null
        : { number: row.proforma, date: row.proforma_on!, totalPaise: totalOf(row.proforma_content) }
    const isUnpaidCredit = row.prepaid && row.state === 'proforma' && sumOfPayments(paid) < proforma!.totalPaise
    return {
      number: row.number,
      organization: row.name,
      date: row.issued_on,
      validUntil: row.valid_until,
      state: row.state,
      expired: (row.state === 'open' || isUnpaidCredit) && row.valid_until < today,
      lines: row.lines as Lines,
      totalPaise: totalOf(row.content),
      by: row.created_by,
      decidedBy: row.decided_by,
      answer: row.answer,
      proforma,
      payments: paid.map(({ id, date, amountPaise }) => ({ id, date, amountPaise })),
      invoice: row.invoice,
      prepaid: row.prepaid ? { trainingName: row.training } : null,
    }
  })
}

export const totalOf = (content: unknown): number => (content as TaxDocument).totals.totalPaise

export const sumOfPayments = (payments: readonly { readonly amountPaise: number }[]): number =>
  payments.reduce((sum, { amountPaise }) => sum + amountPaise, 0)

export async function paymentsOf(db: Db, quotes: readonly QuoteId[]): Promise<Payment[]> {
  const { rows } = await selectPaymentsOfQuotes(db, quotes)
  return rows
}
