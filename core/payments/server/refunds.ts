import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { payment as calls } from '../contract/payment.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees, paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { lockOrganisation, organisationByName } from '@trainyard/organisations/server/scope.ts'
import {
  selectRefundablePayments,
  selectRefunds,
  lockPaymentOfEntry,
  type Refundable,
  type Refunds,
} from './queries.ts'

async function refundablePayments(db: Db, organisation: OrganisationId, payment: string | null): Promise<Refundable[]> {
  const { rows } = await selectRefundablePayments(db, organisation, payment)
  return rows
}

export async function refundsOf(db: Db, organization: string): Promise<Refunds> {
  const { id } = await organisationByName(db, organization)
  const { rows } = await selectRefunds(db, id)
  const payments = await refundablePayments(db, id, null)
  return {
    payments: payments.map(({ orderRow: _order, ...shown }) => shown),
    refunds: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}

/** Requests a refund. A trigger also limits the sum of refunds to the payment. */
export async function requestRefund(
  tx: Tx,
  { email }: Actor,
  { organization, payment, amount, reason }: BodyOf<typeof calls.refund>,
): Promise<{ message: string }> {
  const organisation = await organisationByName(tx, organization)
  await lockOrganisation(tx, organisation.id, 'use')
  // Serialises concurrent requests, which would otherwise both read the same remaining amount.
  await lockPaymentOfEntry(tx, organisation.id, payment)
  const [found] = await refundablePayments(tx, organisation.id, payment)
  if (found === undefined) throw notFound('payment')
  const wanted = paiseOfRupees(amount)!
  if (wanted > found.leftPaise) {
    throw conflict(
      found.leftPaise === 0
        ? `${payment} is already refunded, or the refund is in progress.`
        : `At most ${formatRupees(rupeesOfPaise(found.leftPaise))} of ${payment} can be refunded.`,
    )
  }
  await tx
    .insertInto('refund')
    .values({
      organisation_id: organisation.id,
      order_row: found.orderRow,
      payment,
      amount_paise: wanted,
      reason,
      asked_by: email,
      reconcile_at: sql`portal_now()`,
    })
    .execute()
  await notifyWorkers(tx, 'refund')
  return { message: `${formatRupees(amount)} of ${payment} will be refunded.` }
}
