import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { paymentRequests as calls } from '../contract/payment-request.ts'
import type { OrganisationId, PaymentRequestId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { canPay } from '../contract/payment-request-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type JobQueue, job, EMAILS } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Payments } from '@trainyard/payments/server/payments-provider.ts'
import { requirePayments } from '@trainyard/payments/server/http.ts'
import type { purpose } from '@trainyard/payments/server/purpose.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '@trainyard/organisations/server/scope.ts'
import {
  selectPaymentRequests,
  lockRequestState,
  cancelRequestRow,
  selectRequestState,
  lockRequestRow,
  type Requests,
} from './queries.ts'

export const requestHandlers = ({
  payments,
  jobs,
}: {
  readonly payments: Payments | null
  readonly jobs: JobQueue
}): Pick<HandlersOf<'payment'>, keyof typeof calls> => ({
  requests: (db, { actor, query }) => requestsOf(db, actor, query.organization),

  async request(tx, { actor, body }) {
    requirePayments(payments)
    return requestPayment(tx, jobs, actor, body)
  },

  cancelRequest: (tx, { body }) => cancelRequest(tx, body.id),
})

/** Returns a payment request as the purpose of an order. */
export const requestToPay: AnswerTo<typeof purpose> = async (db, { organisation, body, amount, lockIn }) => {
  const { request } = body
  if (request === undefined) return null
  if (lockIn !== null) await lockRequestRow(lockIn, request as PaymentRequestId)
  return {
    order: await orderOfRequest(db, organisation, request, amount),
    columns: { request: request as PaymentRequestId },
  }
}

export const paymentRequest = job<{ readonly request: PaymentRequestId }>('payment.request', EMAILS)

async function requestsOf(db: Db, actor: Actor, organization: string | undefined): Promise<Requests> {
  const { id } = await organisationInScope(db, actor, organization)
  const { rows } = await selectPaymentRequests(db, id)
  return {
    requests: rows.map((row) => ({ ...row, at: row.at.toISOString(), expiresAt: row.expiresAt.toISOString() })),
  }
}

async function requestPayment(
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
  await jobs.enqueue(tx, paymentRequest, [{ request }])
  return { message: `${formatRupees(amount)} requested from ${name}.` }
}

/** @throws Problem notFound, or conflict if the request is not open */
async function cancelRequest(tx: Tx, id: string): Promise<{ message: string }> {
  const { rows } = await lockRequestState(tx, id)
  if (rows[0] === undefined) throw notFound('payment request')
  const may = canPay(rows[0].state)
  if (may !== true) throw conflict(may)
  await cancelRequestRow(tx, id)
  return { message: 'The request is cancelled.' }
}

/**
 * Returns the order of a request; null if there is none yet.
 * @throws Problem notFound; conflict if not open; invalid if the amount differs
 */
async function orderOfRequest(
  db: Db,
  organisation: OrganisationId,
  request: string,
  amount: number,
): Promise<string | null> {
  const { rows } = await selectRequestState(db, request, organisation)
  const [found] = rows
  if (found === undefined) throw notFound('payment request')
  const may = canPay(found.state)
  if (may !== true) throw conflict(may)
  if (found.amount !== amount) throw new Problem('invalid', 'amount must be what the request asks for.')
  return found.order
}
