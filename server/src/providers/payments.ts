/**
 * The calls that the portal makes on a payment provider with a checkout of its own. Amounts are paise, the currency
 * is INR. One adapter per provider implements it; the domain knows only this page.
 */
export interface Payments {
  readonly checkout: Checkout
  /** Makes an order for a payment, or finds the one that was made for this receipt while the reply got lost. */
  createOrder(order: NewOrder, signal: AbortSignal): Promise<{ readonly orderId: string }>
  /** Every payment that was tried for an order, as the provider has it now. */
  lookAt(orderId: string, signal: AbortSignal): Promise<readonly SeenPayment[]>
  /** Pays a captured payment back, or part of it: once under a receipt, however often it is asked. */
  refund(refund: NewRefund, signal: AbortSignal): Promise<SeenRefund>
  /** The refunds of a payment, in every state. */
  refundsOf(paymentId: string, signal: AbortSignal): Promise<readonly SeenRefund[]>
  /** Takes the money of an authorised payment. One that was captured meanwhile is no error. */
  capture(payment: Pick<SeenPayment, 'id' | 'amount'>, signal: AbortSignal): Promise<void>
}

/** The part that needs nothing but the keys: it never talks to anybody. */
export interface Checkout {
  /** The public key that a browser opens the checkout with. */
  readonly keyId: string
  /** Address of the script that opens it. */
  readonly script: string
  /** Origins that the checkout shows its frames from. */
  readonly frames: readonly string[]
  /** Returns true when the provider itself says, through the browser, that the payment was made for the order. */
  isGenuine(told: { readonly orderId: string; readonly paymentId: string; readonly signature: string }): boolean
  /**
   * The order that an event is about; null: none of ours. 'forged': not signed by the provider.
   * @param text the body as it came over the wire
   */
  readEvent(text: string, header: (name: string) => string | undefined): { readonly orderId: string | null } | 'forged'
}

export interface NewOrder {
  /** Ours, at most 40 characters: the same for the same order, so that it can be found again. */
  readonly receipt: string
  readonly amount: number
  /** Shown beside the order at the provider. */
  readonly notes: Readonly<Record<string, string>>
}

export interface SeenPayment {
  readonly id: string
  readonly orderId: string
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  /**
   * `captured` stays so when it was paid back: the money did come. `waiting` and `failed` may both still become
   * authorised, days later.
   */
  readonly state: 'waiting' | 'failed' | 'authorised' | 'captured'
  readonly at: Date
  /** The refunds of a captured payment that reached its payer. */
  readonly refunds: readonly SeenRefund[]
}

export interface NewRefund {
  readonly paymentId: string
  readonly amount: number
  /** Ours, ten characters at least: the same for the same refund. */
  readonly receipt: string
}

export interface SeenRefund {
  readonly id: string
  readonly amount: number
  readonly at: Date
  readonly receipt: string | null
  /** `pending`: the provider has taken it on, and the bank has not answered. */
  readonly state: 'pending' | 'processed' | 'failed'
}

/** A call that did not come to its end; the message says why, in the provider's words where it has any. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError'
  readonly kind: 'unreachable' | 'throttled' | 'unauthorised' | 'refused'
  /** Seconds until it may be asked again, where the provider said so. */
  readonly retryAfter: number | null

  constructor(
    kind: PaymentsError['kind'],
    message: string,
    more: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.kind = kind
    this.retryAfter = more.retryAfter ?? null
  }
}

/** Questions to a payment provider that change nothing. They throw `PaymentsError` alone. */
export interface PaymentsDiagnosis {
  /** Says whether the key is one for tests, with which no money moves. Throws when it is not taken. */
  key(signal: AbortSignal): Promise<{ readonly test: boolean }>
  /** Where the provider sends its events; null: it does not list that to this key. */
  webhooks(signal: AbortSignal): Promise<readonly SeenWebhook[] | null>
}

export interface SeenWebhook {
  readonly url: string
  readonly active: boolean
  readonly hasSecret: boolean
  readonly events: readonly string[]
}
