import type { CloudErrorKind } from '@trainyard/platform/server/providers/errors.ts'

/** Meaning of an error response. The operation was not executed, except possibly with `unknown`. */
export type Outcome =
  /** The unchanged request can never succeed. A user or the operator must change something first. */
  | { readonly is: 'final'; readonly kind: Extract<CloudErrorKind, 'refused' | 'unauthorised'> }
  /** A retry can succeed. `seconds` is the maximum pause between two retries if Azure names none. */
  | { readonly is: 'wait'; readonly kind: CloudErrorKind; readonly seconds: number }
  | { readonly is: 'conflict' }
  | { readonly is: 'throttled' }
  | { readonly is: 'absent' }
  | { readonly is: 'unknown'; readonly done: 'no' | 'perhaps' }

export interface OutcomeRow {
  readonly on?: RegExp
  readonly status?: number
  readonly code: RegExp
  readonly detail?: RegExp
  /** Pattern that the message must match, if one code has two meanings. */
  readonly message?: RegExp
  readonly outcome: Outcome
  /**
   * Sentences for users, with `{facts}` of `RefusalFacts`. The first sentence whose facts are all known is shown. The
   * last one contains only `action`, `code` and `message`, which every error response has.
   */
  readonly sentences: readonly [string, ...string[]]
  /** Error responses that this row matches: operation, status and Azure's body. */
  readonly examples: readonly [ErrorExample, ...ErrorExample[]]
  /** Evidence: [R] a recording or a public issue that quotes it, [D] documentation, [K] experience only. */
  readonly source: string
}

export type ErrorExample = readonly [operation: string, status: number, error: ErrorReply]

interface ErrorReply {
  readonly code: string
  readonly message?: string
  readonly target?: string
  readonly details?: readonly { readonly code: string; readonly message: string }[]
  readonly additionalInfo?: readonly { readonly type: string; readonly info: unknown }[]
}
