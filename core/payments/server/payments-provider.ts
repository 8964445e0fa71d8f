import { StepError } from '@trainyard/platform/server/providers/errors.ts'
/** Port to a payment provider. Amounts are in paise, the currency is INR. */
export interface Payments {
  readonly checkout: Checkout
  /** Creates an order for a payment, or finds the order with this receipt if the earlier response was lost. */
  createOrder(order: NewOrder, signal: AbortSignal): Promise<{ readonly orderId: string }>
  listPayments(orderId: string, signal: AbortSignal): Promise<readonly ProviderPayment[]>
  /** Returns true if the provider considers the order paid, regardless of the captured amount. */
  isOrderPaid(orderId: string, signal: AbortSignal): Promise<boolean>
  /** Refunds a captured payment fully or partly. Idempotent by receipt. */
  refund(refund: NewRefund, signal: AbortSignal): Promise<ProviderRefund>
  listRefunds(paymentId: string, signal: AbortSignal): Promise<readonly ProviderRefund[]>
  /** Returns what the provider settled on a day in India, with every line once. @param day YYYY-MM-DD */
  listSettled(day: string, signal: AbortSignal): Promise<readonly SettledLine[]>
  /** Captures an authorised payment. A payment that was captured concurrently is not an error. */
  capture(payment: Pick<ProviderPayment, 'id' | 'amount'>, signal: AbortSignal): Promise<void>
}

export interface Checkout {
  readonly keyId: string
  readonly scriptUrl: string
  readonly frames: readonly string[]
  isGenuine(told: { readonly orderId: string; readonly paymentId: string; readonly signature: string }): boolean
  /**
   * Returns the order of an event; null for an order that the portal did not create; 'forged' if the signature is
   * invalid.
   * @param text the raw request body
   */
  readEvent(text: string, header: (name: string) => string | undefined): { readonly orderId: string | null } | 'forged'
}

export interface NewOrder {
  /**
   * Identifier that the portal chooses, of at most 40 characters. It is the same for the same order, so that the order
   * can be found again.
   */
  readonly receipt: string
  readonly amount: number
  readonly notes: Readonly<Record<string, string>>
}

export interface ProviderPayment {
  readonly id: string
  readonly orderId: string
  readonly amount: number
  readonly currency: string
  /**
   * State of the payment. It stays `captured` after a refund. `waiting` and `failed` payments can become authorised
   * days later.
   */
  readonly state: 'waiting' | 'failed' | 'authorised' | 'captured'
  readonly at: Date
  readonly refunds: readonly ProviderRefund[]
  /** True if the payment paid its order although the amounts differ, for example because of a fee or an offer. */
  readonly paysOrder?: boolean
}

interface NewRefund {
  readonly paymentId: string
  readonly amount: number
  /** Identifier that the portal chooses, of at least ten characters. It is the same for the same refund. */
  readonly receipt: string
}

export interface ProviderRefund {
  readonly id: string
  readonly amount: number
  readonly at: Date
  readonly receipt: string | null
  /** `pending`: the provider accepted the refund, and the bank has not confirmed it. */
  readonly state: 'pending' | 'processed' | 'failed'
}

/** Payment, refund or other change of the provider's balance that a settlement paid out. */
export interface SettledLine {
  /** ID of the payment, refund or adjustment. */
  readonly id: string
  /** `payment`, `refund`, `transfer`, `adjustment`, or one that the provider adds later. */
  readonly type: string
  readonly settlementId: string
  /** Reference of the bank transfer. */
  readonly utr: string | null
  readonly settledAt: Date
  readonly currency: string
  readonly amount: number
  readonly credit: number
  readonly debit: number
  /** Includes the tax. */
  readonly fee: number
  readonly tax: number
  readonly description: string | null
}

export class PaymentsError extends StepError {
  override readonly name = 'PaymentsError'
  declare readonly kind: 'unreachable' | 'throttled' | 'unauthorised' | 'refused'

  constructor(
    kind: PaymentsError['kind'],
    message: string,
    more: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(kind, message, more)
  }
}

/** Read-only queries to a payment provider. Throws only `PaymentsError`. */
export interface PaymentsDiagnosis {
  /** Returns true for a test key, which moves no money. Throws if the provider rejects the key. */
  key(signal: AbortSignal): Promise<{ readonly test: boolean }>
  /** Returns the webhooks to which the provider sends events; null: this key is not allowed to list webhooks. */
  webhooks(signal: AbortSignal): Promise<readonly ProviderWebhook[] | null>
}

export interface ProviderWebhook {
  readonly url: string
  readonly active: boolean
  readonly hasSecret: boolean
  readonly events: readonly string[]
}
