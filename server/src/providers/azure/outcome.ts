import type { CloudErrorKind } from '../errors.ts'

/** The meaning of an error response. The operation was not done, except possibly with `unknown`. */
export type Outcome =
  /** The request can never succeed unchanged: a user or the operator must change something first. */
  | { readonly is: 'final'; readonly kind: Extract<CloudErrorKind, 'refused' | 'unauthorised'> }
  /**
   * The request can succeed after an external change, with or without the operator's help. `seconds`: maximum pause
   * between two retries if Azure names none.
   */
  | { readonly is: 'wait'; readonly kind: CloudErrorKind; readonly seconds: number }
  /** Another operation on the resource is in progress, or a referenced resource does not exist yet. */
  | { readonly is: 'conflict' }
  /** The rate limit of the subscription or of the kind of request is exceeded: requests of this kind pause. */
  | { readonly is: 'throttled' }
  | { readonly is: 'absent' }
  /** Azure failed, or the response matches no row. `done`: whether the operation may have been done. */
  | { readonly is: 'unknown'; readonly done: 'no' | 'perhaps' }

export interface OutcomeRow {
  /** The operations to which the row applies; omitted: all. */
  readonly on?: RegExp
  /** Omitted: any failure status. */
  readonly status?: number
  readonly code: RegExp
  /** At least one detail's code must match; omitted: details are ignored. */
  readonly detail?: RegExp
  /** The message must match; set if one code has two meanings. */
  readonly message?: RegExp
  readonly outcome: Outcome
  /** Evidence: [R] a recording or a public issue that quotes it, [D] documentation, [K] experience only. */
  readonly source: string
}
