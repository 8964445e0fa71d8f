import { z } from 'zod'

/**
 * Fields of Razorpay's responses and events that the portal reads. Amounts are in paise, times in seconds since 1970.
 */

export const order = z.object({ id: z.string(), amount: z.int(), currency: z.string(), receipt: z.string().nullable() })
export const orderState = z.object({ id: z.string(), status: z.string() })

const payment = z.object({
  id: z.string(),
  order_id: z.string().nullable(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  captured: z.boolean(),
  amount_refunded: z.int().nullish(),
  created_at: z.int(),
})
export type RazorpayPayment = z.infer<typeof payment>

export const refund = z.object({
  id: z.string(),
  amount: z.int(),
  status: z.string(),
  receipt: z.string().nullish(),
  created_at: z.int(),
})
export type RazorpayRefund = z.infer<typeof refund>

const collection = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })
export const orders = collection(order)
export const payments = collection(payment)
export const refunds = collection(refund)
export const webhooks = collection(
  z.object({
    url: z.string(),
    active: z.boolean(),
    secret_exists: z.boolean().nullish(),
    events: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]),
  }),
)
const amount = z.int().min(0)
const shortId = z.string().min(1).max(40)
/** https://razorpay.com/docs/api/settlements/fetch-recon/ */
const settledLine = z.object({
  entity_id: shortId,
  type: shortId,
  debit: amount,
  credit: amount,
  amount,
  currency: z.string().length(3),
  fee: amount.nullish(),
  tax: amount.nullish(),
  settled: z.boolean(),
  settled_at: z.int().nullish(),
  settlement_id: shortId.nullish(),
  settlement_utr: z.string().max(60).nullish(),
  description: z.string().nullish(),
})
export const settledLines = collection(settledLine)

export const captured = z.object({ id: z.string(), status: z.string() })

export const errorReply = z.object({ error: z.object({ description: z.string().min(1).max(500) }) })

/** Order of an event. The event's details are not read, because the current state is fetched instead. */
export const event = z.object({
  payload: z.object({
    payment: z.object({ entity: z.object({ order_id: z.string().nullish() }) }).optional(),
    order: z.object({ entity: z.object({ id: z.string() }) }).optional(),
  }),
})
