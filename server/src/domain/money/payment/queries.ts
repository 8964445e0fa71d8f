import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { payment as calls } from '@trainyard/contract/calls/payment.ts'
import type { PaymentId, OrganisationId, PaymentRequestId, QuoteId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { RequestState } from '@trainyard/contract/words/payment-request.ts'
import type { PayableProforma } from '@trainyard/contract/words/quote.ts'
import type { Tx, Db } from '../../../db/schema.ts'
import type { PaymentRow } from '../../../db/tables/payments.gen.ts'
import { isCancelled, NOT_REVERSED } from '../ledger/entries.ts'

export interface Proforma extends PayableProforma {
  readonly quote: QuoteId
  readonly leftPaise: Paise
  readonly invoiceCancelled: boolean
  readonly prepaid: boolean
  /** Training that receives the prepaid credit; null: the organisation, or no prepaid credit. */
  readonly training: TrainingId | null
}

export interface Refundable {
  readonly id: string
  readonly orderRow: PaymentId
  readonly date: string
  readonly amountPaise: Paise
  readonly leftPaise: Paise
}

const REFUNDS_MAX = 100

export type Refunds = ReplyOf<typeof calls.refunds>

export type Requests = ReplyOf<typeof calls.requests>

/** SQL: state of a request. "Paid" takes precedence over cancelled and expired, because the money arrived. */
export const REQUEST_STATE_SQL = sql<RequestState>`case when p.paid_at is not null then 'paid'
  when r.cancelled_at is not null then 'cancelled' when r.expires_at <= portal_now() then 'expired' else 'open' end`

const REQUESTS_MAX = 100

export const makePollingDue = (tx: Tx, orderId: string) =>
  sql`
    update payment set opened_at = portal_now(), reconcile_at = case when attempts > 0 then reconcile_at
      else least(reconcile_at, portal_now() + interval '1 minute') end
    where order_id = ${orderId} and paid_at is null`.execute(tx)

export const insertPayment = (
  tx: Tx,
  input: {
    readonly id: PaymentId
    readonly organisation: OrganisationId
    readonly amount: Paise
    readonly orderId: string
    readonly email: string
    readonly request: PaymentRequestId | null
    readonly quote: QuoteId | null
    readonly settles: string | null
    readonly onAccount: boolean
    readonly prepaid: boolean
    readonly prepaidTraining: TrainingId | null
  },
) =>
  sql`
    insert into payment (id, organisation_id, amount_paise, order_id, asked_by, request, quote_id, settles,
      on_account, prepaid, prepaid_training, reconcile_at)
    values (${input.id}, ${input.organisation}, ${input.amount}, ${input.orderId}, ${input.email}, ${input.request}, ${input.quote}, ${input.settles},
      ${input.onAccount}, ${input.prepaid}, ${input.prepaidTraining},
      portal_now() + interval '1 minute')`.execute(tx)

export const selectPaymentOfOrder = (db: Db, orderId: string, organisation: OrganisationId) =>
  sql<PaymentRow>`
    select * from payment where order_id = ${orderId} and organisation_id = ${organisation}`.execute(db)

export const lockPaymentRow = (tx: Tx, id: PaymentId) =>
  sql<PaymentRow & { now: Date }>`
    select *, portal_now() as now from payment where id = ${id} for update`.execute(tx)

export const selectProformas = (db: Db, condition: RawBuilder<unknown>) =>
  sql<Proforma>`
    select q.id as quote, q.proforma, q.state, q.invoice, q.prepaid, q.prepaid_training as training,
      exists (select from tax_document d where d.organisation_id = q.organisation_id and d.number = q.invoice
        and ${isCancelled('d')}) as "invoiceCancelled",
      q.prepaid and q.valid_until < supplier_today() as expired,
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

export const selectRefundBy = (tx: Tx, receipt: string | null, paymentId: string) =>
  sql<{ by: string }>`
    select asked_by as by from refund where id::text = ${receipt} and payment = ${paymentId}`.execute(tx)

export const selectRefundablePayments = (db: Db, organisation: OrganisationId, payment: string | null) =>
  sql<Refundable>`
    select e.reference as id, o.id as "orderRow", e.date, e.amount_paise as "amountPaise",
      (e.amount_paise - coalesce((select sum(amount_paise) from refund
          where payment = e.reference and state <> 'failed'), 0)
        - coalesce((select sum(abs(b.amount_paise)) from ledger_entry b
          where b.organisation_id = e.organisation_id
            and (b.refund_of = e.reference or (b.kind = 'payment' and b.amount_paise < 0 and b.source = 'provider'
              and b.particular = 'Refund of ' || e.reference))
            and not exists (select from refund r where r.number = b.reference)), 0))::bigint as "leftPaise"
    from ledger_entry e join payment o on o.organisation_id = e.organisation_id and e.reference = any(o.credited)
    where e.organisation_id = ${organisation} and e.kind = 'payment' and e.source = 'provider' and e.amount_paise > 0
      and (${payment}::text is null or e.reference = ${payment})
    order by e.date desc, e.id desc limit ${REFUNDS_MAX}`.execute(db)

export const selectRefunds = (db: Db, id: OrganisationId) =>
  sql<Omit<Refunds['refunds'][number], 'at'> & { readonly at: Date }>`
    select id, payment, amount_paise as "amountPaise", reason, state, number, last_error as error, asked_by as by,
      created_at as at
    from refund where organisation_id = ${id} order by created_at desc, id limit ${REFUNDS_MAX}`.execute(db)

export const lockPaymentOfEntry = (tx: Tx, organisation: OrganisationId, payment: string) =>
  sql`select from payment where organisation_id = ${organisation} and ${payment} = any(credited)
    for update`.execute(tx)

export const selectPaymentRequests = (db: Db, id: OrganisationId) =>
  sql<Omit<Requests['requests'][number], 'at' | 'expiresAt'> & { at: Date; expiresAt: Date }>`
    select r.id, r.amount_paise as "amountPaise", r.about, r.asked_by as by, r.created_at as at,
      r.expires_at as "expiresAt", r.sent_to as to, ${REQUEST_STATE_SQL} as state, p.credited[1] as payment
    from payment_request r left join payment p on p.request = r.id
    where r.organisation_id = ${id} order by r.created_at desc, r.id limit ${REQUESTS_MAX}`.execute(db)

export const lockRequestState = (tx: Tx, id: string) =>
  sql<{ state: RequestState }>`
    select ${REQUEST_STATE_SQL} as state from payment_request r left join payment p on p.request = r.id
    where r.id = ${id}::uuid for update of r`.execute(tx)

export const cancelRequestRow = (tx: Tx, id: string) =>
  sql`update payment_request set cancelled_at = portal_now()
    where id = ${id}::uuid and cancelled_at is null`.execute(tx)

export const selectRequestState = (db: Db, request: string, organisation: OrganisationId) =>
  sql<{ state: RequestState; amount: number; order: string | null }>`
    select ${REQUEST_STATE_SQL} as state, r.amount_paise as amount, p.order_id as order
    from payment_request r left join payment p on p.request = r.id
    where r.id = ${request}::uuid and r.organisation_id = ${organisation}`.execute(db)

export const lockRequestRow = (tx: Tx, request: PaymentRequestId) =>
  sql`select from payment_request where id = ${request} for update`.execute(tx)

export const selectUndecided = (db: Db) =>
  sql<{ orders: number; paise: number; oldest: number }>`
    select count(*)::int as orders, coalesce(sum(amount_paise), 0)::float8 as paise,
      coalesce(extract(epoch from portal_now() - min(created_at) filter (where attempts > 0)), 0)::float8 as oldest
    from payment where reconcile_at is not null and paid_at is null`.execute(db)
