/** Sends webhooks to the addresses that organisations chose. */
export interface Webhooks {
  /** Returns the reason why an address is not allowed; null: it is allowed. Sends no network request. */
  refusalOf(url: string): string | null
  /**
   * Sends one request. Never throws: a request that gets no reply returns the reason.
   * @param signal aborts the request
   */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<WebhookReply | WebhookFailure>
}

export interface WebhookReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** First bytes of the body. */
  readonly body: string
}

export interface WebhookFailure {
  /** Sentence for users. */
  readonly error: string
}
