import { PROBLEMS, type ProblemCode } from '@trainyard/contract/words/problems.ts'

/** A refused call. `message` is shown to the caller; throwing it rolls back the call's transaction. */
export class Problem extends Error {
  readonly code: ProblemCode
  /** Seconds until the caller may retry; sent as Retry-After. */
  readonly retryAfter: number | null
  /** Additional fields of the reply: the `refusal` of the call. */
  readonly detail: Readonly<Record<string, unknown>>
  override readonly name = 'Problem'

  constructor(
    code: ProblemCode,
    message: string,
    retryAfter: number | null = null,
    detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
    this.detail = detail
  }

  get status(): number {
    return PROBLEMS[this.code]
  }
}

/** An invalid setting. The message has one line per problem, ready to print. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A command on the server that cannot be executed. The message is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/**
 * Returns the same message whether the resource does not exist or is out of the caller's scope, so that callers cannot
 * probe for it.
 */
export const notFound = (what: string): Problem => new Problem('notFound', `There is no such ${what}.`)

export const conflict = (sentence: string): Problem => new Problem('conflict', sentence)

export const signedOut = (): Problem => new Problem('signedOut', 'Please log in.')

/** @param seconds until the next attempt is allowed */
export const tooMany = (seconds: number): Problem =>
  new Problem('tooMany', 'Too many attempts. Please wait a moment and try again.', Math.max(1, seconds))
