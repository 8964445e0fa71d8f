import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PaymentRow } from '../tables.gen.ts'
import type { ProviderRefund } from './payments-provider.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
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
