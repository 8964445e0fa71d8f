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
