import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { payment as calls } from '@trainyard/contract/calls/payment.ts'
import type { OrganisationId, PaymentRequestId } from '@trainyard/contract/words/ids.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/contract/words/money.ts'
import { canPay } from '@trainyard/contract/words/payment-request.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, notFound, Problem } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { type JobQueue, job, EMAILS } from '../../../jobs/jobs.ts'
import { lockOrganisation, organisationInScope, organisationByName } from '../../people/organisation/scope.ts'
import {
  selectPaymentRequests,
  lockRequestState,
  cancelRequestRow,
  selectRequestState,
  lockRequestRow,
  type Requests,
} from './queries.ts'

export const paymentRequest = job<{ readonly request: PaymentRequestId }>('payment.request', EMAILS)

export async function requestsOf(db: Db, actor: Actor, organization: string | undefined): Promise<Requests> {
  const { id } = await organisationInScope(db, actor, organization)
  const { rows } = await selectPaymentRequests(db, id)
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
  await jobs.enqueue(tx, paymentRequest, [{ request }])
  return { message: `${formatRupees(amount)} requested from ${name}.` }
}

/** @throws Problem notFound, or conflict if the request is not open */
export async function cancelRequest(tx: Tx, id: string): Promise<{ message: string }> {
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
export async function orderOfRequest(
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

export async function lockRequest(tx: Tx, request: PaymentRequestId): Promise<void> {
  await lockRequestRow(tx, request)
}
