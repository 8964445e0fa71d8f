import { sql } from 'kysely'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import type { PaymentRow } from '../../../db/schema/payment.ts'
import type { SeenRefund } from '../../../providers/payments.ts'
import { addEntry } from '../ledger/entries.ts'

/**
 * Enters a refund that the provider has processed, once, whichever look finds it first. One that was asked for here
 * bears the name of who asked; one made at the provider, that of the payment.
 * @param paymentId the provider's number of the payment
 */
export async function enterRefund(
  tx: Tx,
  payment: Pick<PaymentRow, 'organisation_id' | 'asked_by'>,
  paymentId: string,
  { id, amount, at, receipt }: SeenRefund,
): Promise<boolean> {
  const { rows } = await sql<{ by: string }>`
    select asked_by as by from refund where id::text = ${receipt} and payment = ${paymentId}`.execute(tx)
  return addEntry(tx, {
    organisation: payment.organisation_id,
    kind: 'refund',
    reference: id,
    refundOf: paymentId,
    particular: `Refund of ${paymentId}`,
    amount: amount as Paise,
    date: at,
    source: 'provider',
    by: rows[0]?.by ?? payment.asked_by,
  })
}
