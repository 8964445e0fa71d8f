import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { payment as calls } from '@trainyard/contract/calls/payment.ts'
import type { OrganisationId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/contract/words/money.ts'
import { canPay, type RequestState } from '@trainyard/contract/words/payment-request.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, notFound, Problem } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '../../people/organisation/scope.ts'

type Requests = ReplyOf<typeof calls.requests>

const REQUESTS_MAX = 100

/** SQL: state of a request. "Paid" takes precedence over cancelled and expired, because the money arrived. */
export const REQUEST_STATE_SQL = sql<RequestState>`case when p.paid_at is not null then 'paid'
  when r.cancelled_at is not null then 'cancelled' when r.expires_at <= portal_now() then 'expired' else 'open' end`

export async function requestsOf(db: Db, actor: Actor, organization: string | undefined): Promise<Requests> {
  const { id } = await organisationInScope(db, actor, organization)
  const { rows } = await sql<Omit<Requests['requests'][number], 'at' | 'expiresAt'> & { at: Date; expiresAt: Date }>`
    select r.id, r.amount_paise as "amountPaise", r.about, r.asked_by as by, r.created_at as at,
      r.expires_at as "expiresAt", r.sent_to as to, ${REQUEST_STATE_SQL} as state, p.credited[1] as payment
    from payment_request r left join payment p on p.request = r.id
    where r.organisation_id = ${id} order by r.created_at desc, r.id limit ${REQUESTS_MAX}`.execute(db)
  return {
    requests: rows.map((row) => ({ ...row, at: row.at.toISOString(), expiresAt: row.expiresAt.toISOString() })),
  }
}

export async function requestPayment(
  tx: Tx,
  jobs: JobQueue,
  { email }: Actor,
  { organization, amount, about, days }: BodyOf<typeof calls.request>,
): Promise<{ message: string }> {
  const { id, name } = await organisationByName(tx, organization)
  await lockOrganisation(tx, id, 'use')
  const { id: request } = await tx
    .insertInto('payment_request')
    .values({
      organisation_id: id,
      amount_paise: paiseOfRupees(amount)!,
      about,
      asked_by: email,
      expires_at: sql<Date>`portal_now() + make_interval(days => ${days})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await jobs.enqueue(tx, 'payment.request', [{ request }])
  return { message: `${formatRupees(amount)} requested from ${name}.` }
}

/** @throws Problem notFound, or conflict if the request is not open */
export async function cancelRequest(tx: Tx, id: string): Promise<{ message: string }> {
  const { rows } = await sql<{ state: RequestState }>`
    select ${REQUEST_STATE_SQL} as state from payment_request r left join payment p on p.request = r.id
    where r.id = ${id}::uuid for update of r`.execute(tx)
  if (rows[0] === undefined) throw notFound('payment request')
  const may = canPay(rows[0].state)
  if (may !== true) throw conflict(may)
  await sql`update payment_request set cancelled_at = portal_now() where id = ${id}::uuid`.execute(tx)
  return { message: 'The request is cancelled.' }
}

/**
 * Returns the order of a request; null if there is none yet.
 * @throws Problem notFound; conflict if not open; invalid if the amount differs
 */
export async function orderOfRequest(
  db: Db,
  organisation: OrganisationId,
  request: string,
  amount: number,
): Promise<string | null> {
  const { rows } = await sql<{ state: RequestState; amount: number; order: string | null }>`
    select ${REQUEST_STATE_SQL} as state, r.amount_paise as amount, p.order_id as order
    from payment_request r left join payment p on p.request = r.id
    where r.id = ${request}::uuid and r.organisation_id = ${organisation}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('payment request')
  const may = canPay(found.state)
  if (may !== true) throw conflict(may)
  if (found.amount !== amount) throw new Problem('invalid', 'amount must be what the request asks for.')
  return found.order
}

export async function lockRequest(tx: Tx, request: PaymentRequestId): Promise<void> {
  await sql`select from payment_request where id = ${request} for update`.execute(tx)
}
