import { sql, type RawBuilder } from 'kysely'
import type { QuoteId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { QUOTE_DAYS_MAX, type OfferKind, type PayableProforma } from '../contract/quote-words.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { assignedPayments } from '@trainyard/accounting/server/hooks.ts'
import { NOT_REVERSED } from '@trainyard/ledger/server/entries.ts'
import { isCancelled } from '@trainyard/invoices/server/conditions.ts'
import { SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'

export interface Proforma extends PayableProforma {
  readonly quote: QuoteId
  readonly leftPaise: Paise
  readonly invoiceCancelled: boolean
  readonly prepaid: boolean
  /** Training that receives the prepaid credit; null: the organisation, or no prepaid credit. */
  readonly training: TrainingId | null
}

export interface Payment {
  readonly quote: QuoteId
  readonly id: string
  readonly date: string
  readonly amountPaise: number
}

export const selectHasPayment = (tx: Tx, quote: QuoteId) =>
  sql<{ found: boolean }>`
    select exists (select from proforma_payment where quote_id = ${quote}) as found`.execute(tx)

export const selectIsValidDay = (tx: Tx, day: string) =>
  sql<{ valid: boolean }>`
    select ${day}::date between ${SUPPLIER_TODAY} and ${SUPPLIER_TODAY} + ${QUOTE_DAYS_MAX}::int as valid`.execute(tx)

export const countUnpaidProformas = (tx: Tx, id: OrganisationId) =>
  sql<{ count: number }>`
    select count(*)::int as count from quote q where organisation_id = ${id} and prepaid and state = 'proforma'
      and valid_until >= ${SUPPLIER_TODAY} and not exists (select from proforma_payment where quote_id = q.id)`.execute(
    tx,
  )

export const selectIsOnAccount = (tx: Tx, organisation: OrganisationId, payment: string) =>
  sql<{ isFree: boolean }>`
    select e.settles is null and e.source <> 'issued' and e.amount_paise > 0 and not exists (select from ledger_entry r
      where r.organisation_id = e.organisation_id and (r.refund_of = e.reference or r.reverses = e.reference)) as "isFree"
    from ledger_entry e where e.organisation_id = ${organisation} and e.kind = 'payment' and e.reference = ${payment}`.execute(
    tx,
  )

export const nextSerial = (tx: Tx, kind: OfferKind, year: string) =>
  sql<{ serial: number }>`
    insert into quote_series as series (kind, financial_year, last_serial) values (${kind}, ${year}, 1)
    on conflict (kind, financial_year) do update set last_serial = series.last_serial + 1
    returning last_serial as serial`.execute(tx)

export const selectPaymentsOfQuotes = (db: Db, quotes: readonly QuoteId[]) =>
  sql<Payment>`
    select p.quote_id as quote, e.reference as id, to_char(e.date, 'YYYY-MM-DD') as date,
      e.amount_paise as "amountPaise"
    from proforma_payment p join ledger_entry e on e.organisation_id = p.organisation_id and e.kind = 'payment'
      and e.reference = p.payment
    where p.quote_id = any(${quotes}::uuid[]) and not exists (select from ledger_entry r
      where r.organisation_id = e.organisation_id and r.kind = 'payment reversal' and r.reverses = e.reference)
    order by e.date, e.id`.execute(db)

export const selectProformas = (db: Db, condition: RawBuilder<unknown>) =>
  sql<Proforma>`
    select q.id as quote, q.proforma, q.state, q.invoice, q.prepaid, q.prepaid_training as training,
      exists (select from tax_document d where d.organisation_id = q.organisation_id and d.number = q.invoice
        and ${isCancelled('d')}) as "invoiceCancelled",
      q.prepaid and q.valid_until < ${SUPPLIER_TODAY} as expired,
      ((q.proforma_content->'totals'->>'totalPaise')::bigint - coalesce((select sum(e.amount_paise)
        from proforma_payment p join ledger_entry e on e.organisation_id = p.organisation_id and e.kind = 'payment'
          and e.reference = p.payment
        where p.quote_id = q.id and ${NOT_REVERSED}), 0))::bigint as "leftPaise"
    from quote q where q.proforma is not null and ${condition}`.execute(db)

export const lockQuoteOfProforma = (tx: Tx, organisation: OrganisationId, number: string) =>
  sql`select from quote where organisation_id = ${organisation} and proforma = ${number}
    for no key update`.execute(tx)

export const lockQuote = (tx: Tx, quote: QuoteId) =>
  sql`select from quote where id = ${quote} for no key update`.execute(tx)

export const selectOnAccountEntry = (db: Db, organisation: OrganisationId, payment: string) =>
  sql<{ particular: string }>`
    select e.particular from ledger_entry e join payment o on o.organisation_id = e.organisation_id
        and o.quote_id is not null and e.reference = any(o.credited)
    where e.organisation_id = ${organisation} and e.kind = 'payment' and e.reference = ${payment}
      and e.source = 'provider' and e.settles is null and not exists (select from proforma_payment p
        where p.organisation_id = e.organisation_id and p.payment = e.reference)`.execute(db)

/** Payments for a proforma invoice settle only its tax invoice. Prepaid credit settles the oldest invoices first. */
export const paymentsOfProformas: AnswerTo<typeof assignedPayments> = () => sql`
  select f.organisation_id, f.payment, q.invoice from proforma_payment f join quote q on q.id = f.quote_id
  where q.invoice is not null or not q.prepaid`
