/** Exit codes other than 0, described in addons/cli/README.md. */
export const EXIT = {
  /** The portal refused the request, or a machine failed. */
  failed: 1,
  /** Wrong command, option or file. */
  usage: 2,
  /** The API key is missing, not valid, or lacks a scope. */
  access: 3,
  notFound: 4,
  /** The portal cannot be reached or is busy. */
  unavailable: 5,
  /** `apply --dry-run` found changes. */
  differences: 6,
} as const

interface FailureFacts {
  /** Advice on the next step. */
  readonly hint?: string | undefined
  /** Code of the portal's refusal. */
  readonly code?: string | undefined
  readonly requestId?: string | undefined
}

/** An error that is shown to the user, with the exit code of the process. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exit: number
  readonly facts: FailureFacts

  constructor(exit: number, message: string, facts: FailureFacts = {}) {
    super(message)
    this.exit = exit
    this.facts = facts
  }
}
