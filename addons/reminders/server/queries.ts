import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { paymentRequests } from '../contract/payment-request.ts'
import type { OrganisationId, PaymentRequestId } from '@trainyard/platform/contract/words/ids.ts'
import type { RequestState } from '../contract/payment-request-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'

export type Requests = ReplyOf<typeof paymentRequests.requests>

/** SQL: state of a request. "Paid" takes precedence over cancelled and expired, because the money arrived. */
export const REQUEST_STATE_SQL = sql<RequestState>`case when p.paid_at is not null then 'paid'
  when r.cancelled_at is not null then 'cancelled' when r.expires_at <= portal_now() then 'expired' else 'open' end`

const REQUESTS_MAX = 100

export const updateRequestSent = (db: Db, delivered: readonly string[], id: PaymentRequestId) =>
  sql`update payment_request set sent_to = ${delivered} where id = ${id} and sent_to is null`.execute(db)

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
