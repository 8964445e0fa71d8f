import { sql } from 'kysely'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/** A payment in the provider's record. Amounts are in paise. */
export interface PaymentInRecord {
  readonly id: string
  readonly orderId: string
  readonly amount: number
  readonly currency: string
  readonly captured: boolean
  /** True if an amount that differs from the ordered one pays the order, as with a fee or an offer. */
  readonly paysOrder: boolean
  readonly refunds: readonly { readonly id: string; readonly amount: number; readonly status: string }[]
}

/**
 * Checks L2 when nothing is changing. If a payment differs from its order and does not pay the order, it must not be in
 * the ledger.
 */
export async function paymentDifferences(db: Db, record: readonly PaymentInRecord[]): Promise<string[]> {
  const orders = await db.selectFrom('payment').select(['order_id', 'organisation_id', 'amount_paise']).execute()
  const byOrder = new Map(orders.map((order) => [order.order_id, order]))
  const providerPayments = new Map<string, string>()
  for (const { id, orderId, amount, currency, captured, paysOrder, refunds } of record) {
    const order = byOrder.get(orderId)
    if (!captured || order === undefined || currency !== 'INR') continue
    if (amount !== order.amount_paise && !paysOrder) continue
    providerPayments.set(id, `${amount} for ${order.organisation_id}`)
    for (const refund of refunds)
      if (refund.status === 'processed')
        providerPayments.set(refund.id, `${0 - refund.amount} for ${order.organisation_id}`)
  }
  const entries = await db
    .selectFrom('ledger_entry')
    .select(['reference', 'kind', 'amount_paise', 'organisation_id'])
    // A manual entry is included if its reference is a payment ID of the provider.
    .where((eb) =>
      eb.or([eb('source', '=', 'provider'), eb('reference', '=', sql<string>`any(${[...providerPayments.keys()]})`)]),
    )
    .execute()
  const portalPayments = new Map(
    entries.map((e) => [
      e.reference,
      `${e.kind === 'refund' ? 0 - e.amount_paise : e.amount_paise} for ${e.organisation_id}`,
    ]),
  )
  return [...new Set([...providerPayments.keys(), ...portalPayments.keys()])]
    .filter((id) => portalPayments.get(id) !== providerPayments.get(id))
    .map(
      (id) =>
        `${id} is ${providerPayments.get(id) ?? 'nothing'} at the gateway and ${portalPayments.get(id) ?? 'nothing'} in the ledger`,
    )
}
