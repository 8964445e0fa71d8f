import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { payment as calls } from '../contract/payment.ts'
import type { PaymentId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { PaymentRow } from '../tables.gen.ts'

export interface Refundable {
  readonly id: string
  readonly orderRow: PaymentId
  readonly date: string
  readonly amountPaise: Paise
  readonly leftPaise: Paise
}

const REFUNDS_MAX = 100

export type Refunds = ReplyOf<typeof calls.refunds>

export const makePollingDue = (tx: Tx, orderId: string) =>
  sql`
    update payment set opened_at = portal_now(), reconcile_at = case when attempts > 0 then reconcile_at
      else least(reconcile_at, portal_now() + interval '1 minute') end
    where order_id = ${orderId} and paid_at is null`.execute(tx)

export const selectPaymentOfOrder = (db: Db, orderId: string, organisation: OrganisationId) =>
  sql<PaymentRow>`
    select * from payment where order_id = ${orderId} and organisation_id = ${organisation}`.execute(db)

export const lockPaymentRow = (tx: Tx, id: PaymentId) =>
  sql<PaymentRow & { now: Date }>`
    select *, portal_now() as now from payment where id = ${id} for update`.execute(tx)

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

export const selectUndecided = (db: Db) =>
  sql<{ orders: number; paise: number; oldest: number }>`
    select count(*)::int as orders, coalesce(sum(amount_paise), 0)::float8 as paise,
      coalesce(extract(epoch from portal_now() - min(created_at) filter (where attempts > 0)), 0)::float8 as oldest
    from payment where reconcile_at is not null and paid_at is null`.execute(db)
