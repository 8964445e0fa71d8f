import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { payment as calls } from '@trainyard/contract/calls/payment.ts'
import type { OrganisationId, PaymentId } from '@trainyard/contract/words/ids.ts'
import { formatRupees, type Paise, paiseOfRupees, rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { notifyWorkers } from '../../../reconcile/notify.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { lockOrganisation, organisationByName } from '../../people/organisation/scope.ts'

type Refunds = ReplyOf<typeof calls.refunds>

const REFUNDS_MAX = 100

interface Refundable {
  readonly id: string
  readonly orderRow: PaymentId
  readonly date: string
  readonly amountPaise: Paise
  readonly leftPaise: Paise
}

async function refundablePayments(db: Db, organisation: OrganisationId, payment: string | null): Promise<Refundable[]> {
  const { rows } = await sql<Refundable>`
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
  return rows
}

export async function refundsOf(db: Db, organization: string): Promise<Refunds> {
  const { id } = await organisationByName(db, organization)
  const { rows } = await sql<Omit<Refunds['refunds'][number], 'at'> & { readonly at: Date }>`
    select id, payment, amount_paise as "amountPaise", reason, state, number, last_error as error, asked_by as by,
      created_at as at
    from refund where organisation_id = ${id} order by created_at desc, id limit ${REFUNDS_MAX}`.execute(db)
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
  await sql`select from payment where organisation_id = ${organisation.id} and ${payment} = any(credited)
    for update`.execute(tx)
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
