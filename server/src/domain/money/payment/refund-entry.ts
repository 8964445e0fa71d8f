import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import type { PaymentRow } from '../../../db/tables/payments.gen.ts'
import type { ProviderRefund } from '../../../providers/payments.ts'
import { addEntry } from '../ledger/entries.ts'
import { selectRefundBy } from './queries.ts'

/**
 * Adds a refund to the ledger. Returns false if it was added before. `by` is the user who requested the refund here, or
 * the payer if it was made at the provider.
 */
export async function addRefundEntry(
  tx: Tx,
  payment: Pick<PaymentRow, 'organisation_id' | 'asked_by'>,
  paymentId: string,
  { id, amount, at, receipt }: ProviderRefund,
): Promise<boolean> {
  const { rows } = await selectRefundBy(tx, receipt, paymentId)
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
