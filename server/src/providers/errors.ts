/** The kinds of failure that every adapter of a cloud or a directory tells its callers apart. */
export type CloudErrorKind =
  /** Asked too fast: wait as told. */
  | 'throttled'
  /** The provider has no room for this size there just now. */
  | 'capacity'
  /** The subscription's own limit is reached. */
  | 'quota'
  /** The provider does not take this request as it is. */
  | 'refused'
  /** Our credentials were not taken. */
  | 'unauthorised'
  /** Another operation is at work on the same thing; later it will do. */
  | 'conflict'
  /** No answer, a broken connection, a 5xx or an answer that can't be read. Whether it was done is unknown. */
  | 'unreachable'

export interface CloudErrorOptions extends ErrorOptions {
  /** It is never done as it was asked for: trying again is of no use before somebody has changed something. */
  readonly final?: boolean
  /** Seconds between two tries at most; left out: as many as its kind of error has. */
  readonly patience?: number
}

/** A cloud call that did not do what was asked. `message` is a sentence fit to show to an administrator. */
export class CloudError extends Error {
  readonly kind: CloudErrorKind
  /** Seconds the provider asked us to wait; null when it did not say. */
  readonly retryAfter: number | null
  readonly final: boolean
  readonly patience: number | null
  override readonly name = 'CloudError'

  constructor(
    kind: CloudErrorKind,
    message: string,
    retryAfter: number | null = null,
    { final = false, patience, ...options }: CloudErrorOptions = {},
  ) {
    super(message, options)
    this.kind = kind
    this.retryAfter = retryAfter
    this.final = final
    this.patience = patience ?? null
  }
}

/** Not asked yet: requests are paced, and this one's turn comes in so many seconds. No failure, and no attempt. */
export class NotItsTurn extends CloudError {
  constructor(message: string, seconds: number) {
    super('throttled', message, seconds)
  }
}

/** A provider's own answer beneath an error, without the request (which may hold a password or a token). */
export class ProviderError extends Error {
  /** HTTP status; null: no answer came. */
  readonly status: number | null
  /** The provider's own code: `NoSuchEntity`. */
  readonly code: string
  override readonly name: string = 'ProviderError'

  constructor(status: number | null, code: string, message: string) {
    super(oneLine(message))
    this.status = status
    this.code = code
  }
}

/** Returns the provider's answer beneath an error of the port, null where there is none of that class. */
export function answerBeneath<Answer extends ProviderError>(
  error: unknown,
  Answered: abstract new (...given: never[]) => Answer,
): Answer | null {
  return error instanceof CloudError && error.cause instanceof Answered ? error.cause : null
}

/** Words in which one provider's sentences differ from another's. */
export interface ProviderWords {
  readonly name: string
  /** Completes '... is reached'. */
  readonly limit: string
  /** Completes 'look at its ...'. */
  readonly rights: string
}

/** Makes the port's errors of one provider. `doing` completes 'Azure refuses to ...'. */
export const errorsOf = ({ name, limit, rights }: ProviderWords) => ({
  /** @param seconds that the provider asks us to wait; null: it did not say */
  answered(
    kind: CloudErrorKind,
    doing: string,
    answer: Pick<ProviderError, 'status' | 'code' | 'message'>,
    seconds: number | null,
    options: CloudErrorOptions = {},
  ): CloudError {
    const { status, code, message } = answer
    const sentences: Record<CloudErrorKind, string> = {
      throttled: `${name} asks for a pause before it will ${doing} (${code}).`,
      capacity: `${name} has no room to ${doing} just now: ${message}`,
      quota: `${limit} is reached: ${message}`,
      refused: `${name} refuses to ${doing}: ${message}`,
      unauthorised: `${name} does not let the portal ${doing} (${code}): look at its ${rights}.`,
      conflict: `${name} can not ${doing} just now (${code}): ${message}`,
      unreachable: `${name} failed when asked to ${doing} (status ${status}).`,
    }
    return new CloudError(kind, sentences[kind], seconds, { cause: answer, ...options })
  },

  /** The provider gave no answer, or none that could be read. */
  unanswered: (doing: string, how: string, options: CloudErrorOptions = {}): CloudError =>
    new CloudError('unreachable', `Asked ${name} to ${doing}, but ${how}.`, null, options),

  notSignedIn: (): CloudError =>
    new CloudError('unauthorised', `The portal could not sign in to ${name}: look at its credentials.`),
})

/**
 * Returns the provider's words on one line of at most 300 characters, with paths of Azure cut to their last name and
 * without the secret, which must not come back where the provider quotes what it refuses.
 */
export function oneLine(message: string, secret = ''): string {
  // Before the line is cut, which could leave the secret's beginning.
  const line = (secret === '' ? message : message.replaceAll(secret, '(password)'))
    .replace(/\s+/g, ' ')
    .replace(/\/subscriptions\/[^\s'"]*\/([^\s'"/]+)/g, '$1')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Returns the seconds of a Retry-After header, which may also be a date; null where it says neither. */
export function retryAfterIn(header: string | null | undefined): number | null {
  if (header === null || header === undefined) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

/** True for the names under which fetch and the SDKs give up a call: it was ended, or took too long. */
export const isTimeout = (name: string): boolean => name === 'AbortError' || name === 'TimeoutError'

/** True for the errors of @azure/identity: a secret that is wrong or has run out, or no way to a token at all. */
export const isSignInError = (name: string): boolean =>
  /^(Authentication|CredentialUnavailable|AggregateAuthentication)/.test(name)
