export type CloudErrorKind =
  | 'throttled'
  /** The provider has no capacity for this size in the region at present. */
  | 'capacity'
  | 'quota'
  | 'refused'
  | 'unauthorised'
  /** Another operation on the same resource is in progress; a later retry can succeed. */
  | 'conflict'
  /** No response, a broken connection, a 5xx or an unreadable response. The outcome is unknown. */
  | 'unreachable'

export interface CloudErrorOptions extends ErrorOptions {
  /** Sentence for users; default: the one of the error's kind. */
  readonly sentence?: string | null
  readonly final?: boolean
  /** Maximum seconds between two retries; default: the value of the error's kind. */
  readonly maxRetrySeconds?: number
}

/** A failed call of a provider. `message` is a sentence that can be shown to users. */
export class StepError extends Error {
  readonly kind: string
  /** Number of seconds that the provider asked the portal to wait; null if the provider stated none. */
  readonly retryAfter: number | null
  /** Maximum seconds between two retries; null: the default. */
  readonly maxRetrySeconds: number | null

  constructor(
    kind: string,
    message: string,
    {
      retryAfter = null,
      maxRetrySeconds = null,
      ...options
    }: ErrorOptions & {
      readonly retryAfter?: number | null
      readonly maxRetrySeconds?: number | null
    } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.retryAfter = retryAfter
    this.maxRetrySeconds = maxRetrySeconds
  }
}

/** A failed cloud call. `message` is a sentence that can be shown to an administrator. */
export class CloudError extends StepError {
  declare readonly kind: CloudErrorKind
  readonly final: boolean
  override readonly name = 'CloudError'

  constructor(
    kind: CloudErrorKind,
    message: string,
    retryAfter: number | null = null,
    { final = false, maxRetrySeconds: maxRetry, ...options }: CloudErrorOptions = {},
  ) {
    super(kind, message, { ...options, retryAfter, maxRetrySeconds: maxRetry ?? null })
    this.final = final
  }
}

/**
 * The rate limit delayed the request, so the request was not sent. This counts neither as a failure nor as an attempt.
 */
export class RequestDeferred extends CloudError {
  constructor(message: string, seconds: number) {
    super('throttled', message, seconds)
  }
}

/** Error response of the provider, without the request, which may contain a password or a token. */
export class ProviderError extends Error {
  readonly status: number | null
  readonly code: string
  override readonly name: string = 'ProviderError'

  constructor(status: number | null, code: string, message: string) {
    super(oneLine(message))
    this.status = status
    this.code = code
  }
}

export function providerErrorIn<Answer extends ProviderError>(
  error: unknown,
  Answered: abstract new (...args: never[]) => Answer,
): Answer | null {
  return error instanceof CloudError && error.cause instanceof Answered ? error.cause : null
}

export interface ProviderTerms {
  readonly name: string
  readonly limit: string
  readonly rights: string
}

export const errorFactory = ({ name, limit, rights }: ProviderTerms) => ({
  fromResponse(
    kind: CloudErrorKind,
    action: string,
    answer: Pick<ProviderError, 'status' | 'code' | 'message'>,
    seconds: number | null,
    { sentence, ...options }: CloudErrorOptions = {},
  ): CloudError {
    const { status, code, message } = answer
    const sentences: Record<CloudErrorKind, string> = {
      throttled: `${name} throttled the request to ${action} (${code}). Try again later.`,
      capacity: `${name} has no capacity to ${action} at present. Try again later, or use another size or location. ${name}: ${message}`,
      quota: `${limit} is reached. Request a higher limit, or delete unused resources. ${name}: ${message}`,
      refused: `${name} refused to ${action}: ${message}`,
      unauthorised:
        `${name} does not allow the portal to ${action} (${code}). Check the portal's ${rights}. ${message === '' ? '' : `${name}: ${message}`}`.trim(),
      conflict: `${name} cannot ${action} at present (${code}): ${message}`,
      unreachable: `${name} failed to ${action} (status ${status}).`,
    }
    return new CloudError(kind, sentence ?? sentences[kind], seconds, { cause: answer, ...options })
  },

  noResponse: (action: string, reason: string, options: CloudErrorOptions = {}): CloudError =>
    new CloudError('unreachable', `The request to ${name} to ${action} failed: ${reason}.`, null, options),

  signInFailed: (): CloudError =>
    new CloudError('unauthorised', `The portal could not sign in to ${name}. Check its credentials.`),
})

/**
 * Returns the first sentence whose `{facts}` are all known, with their values inserted; null if there is no such
 * sentence.
 */
export function sentenceWith(
  sentences: readonly string[],
  facts: { readonly [fact: string]: string | undefined },
): string | null {
  const known = sentences.find((each) =>
    [...each.matchAll(/\{(\w+)\}/g)].every(([, fact]) => facts[fact!] !== undefined),
  )
  // Facts are replaced in one pass, so that braces in a provider's message are not replaced.
  return known?.replace(/\{(\w+)\}/g, (_, fact: string) => facts[fact] ?? '').trim() ?? null
}

/**
 * Returns a text as one line. Shortens Azure resource paths to their last name and removes the secret, because
 * providers quote rejected values.
 */
export function oneLine(message: string, secret = ''): string {
  // Remove the secret before the line is cut: the cut could leave the beginning of the secret.
  const line = (secret === '' ? message : message.replaceAll(secret, '(password)'))
    .replace(/\s+/g, ' ')
    .replace(/\/subscriptions\/[^\s'"]*\/([^\s'"/]+)/g, '$1')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Returns the seconds of a Retry-After header, which may also be a date; null if absent or unreadable. */
export function retryAfterIn(header: string | null | undefined): number | null {
  if (header === null || header === undefined) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

export const isTimeout = (name: string): boolean => name === 'AbortError' || name === 'TimeoutError'

export const isSignInError = (name: string): boolean =>
  /^(Authentication|CredentialUnavailable|AggregateAuthentication)/.test(name)
