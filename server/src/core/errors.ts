import { PROBLEMS, type ProblemCode } from '@trainyard/contract/words/problems.ts'

/** A call that can't be answered as asked. `message` is shown to the caller; throwing it undoes the call's transaction. */
export class Problem extends Error {
  readonly code: ProblemCode
  /** Seconds after which to try again; sent as Retry-After. */
  readonly retryAfter: number | null
  /** Fields of the answer beside code and sentence: the `refusal` of the call. */
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

/** A wrong setting. The message has one line per problem, ready to print. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A command at the machine that can't be done as asked: its sentence is for who typed it, and needs no stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** A thing that does not exist and a thing of somebody else's answer with the very same sentence. */
export const notFound = (what: string): Problem => new Problem('notFound', `There is no such ${what}.`)

export const conflict = (sentence: string): Problem => new Problem('conflict', sentence)

export const signedOut = (): Problem => new Problem('signedOut', 'Please log in.')

/** @param seconds after which there are attempts again */
export const tooMany = (seconds: number): Problem =>
  new Problem('tooMany', 'Too many attempts. Please wait a moment and try again.', Math.max(1, seconds))
