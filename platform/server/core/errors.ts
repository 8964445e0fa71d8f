import { PROBLEMS, type ProblemCode } from '../../contract/words/problems.ts'

/** A refused call. `message` is shown to the caller. Throwing a Problem rolls back the call's transaction. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly retryAfter: number | null
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
 * Returns the same message for a missing resource and for a resource of another organisation, so that callers cannot
 * probe.
 */
export const notFound = (resource: string): Problem => new Problem('notFound', `There is no such ${resource}.`)

export const conflict = (sentence: string): Problem => new Problem('conflict', sentence)

export const signedOut = (): Problem => new Problem('signedOut', 'Please log in.')

export const tooMany = (seconds: number): Problem =>
  new Problem('tooMany', 'Too many attempts. Please wait a moment and try again.', Math.max(1, seconds))
