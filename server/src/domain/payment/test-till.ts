import type { Caller, Reply, Yard } from '../../worker/test-yard.ts'

/** A payment as the checkout hands it to the browser, with the order it is for. */
export interface Paid {
  readonly payment_id: string
  readonly order_id: string
  readonly signature: string
  /** Paise. */
  readonly amount: number
}

export const order = (admin: Caller, amount: unknown, headers?: Record<string, string>): Promise<Reply> =>
  admin('POST', '/admin/ledger/order', { amount }, headers)

export const verify = (admin: Caller, paid: Paid): Promise<Reply> => admin('POST', '/admin/ledger/paymentVerify', paid)

/** Somebody pays an order in the checkout, without a browser. */
export async function payAtBank(yard: Yard, ordered: { order_id: string; amount: number }, more = {}): Promise<Paid> {
  const { status, body } = await yard.control('POST', '/_payments', { order_id: ordered.order_id, ...more })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const { payment_id, order_id, signature } = body as Paid
  return { payment_id, order_id, signature, amount: ordered.amount }
}

/** Rupees that came in and went back, as the account shows them. */
export async function paymentsOf(admin: Caller): Promise<{ id: string; payment: number }[]> {
  const { body } = await admin('GET', '/admin/ledger/accounts')
  const { transactions } = body as { transactions: { id: string; payment: number | null }[] }
  return transactions.flatMap(({ id, payment }) => (payment === null ? [] : [{ id, payment }]))
}
