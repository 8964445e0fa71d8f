import type { CloudErrorKind } from '../errors.ts'

/** The meaning of an answer for the caller. Nothing was done, except where it is `unknown`. */
export type Outcome =
  /** It is never done as it was asked for: something has to be changed by somebody first. */
  | { readonly is: 'final'; readonly kind: Extract<CloudErrorKind, 'refused' | 'unauthorised'> }
  /**
   * It will be done when something outside of the request has changed, without anybody's help or with an operator's.
   * `seconds`: the longest pause between two tries, where Azure names none.
   */
  | { readonly is: 'wait'; readonly kind: CloudErrorKind; readonly seconds: number }
  /** Something else is at work there, or what is referred to is not there yet. */
  | { readonly is: 'conflict' }
  /** The subscription, or the kind of request, is over its rate: no request of that kind goes for a while. */
  | { readonly is: 'throttled' }
  /** The resource asked about is not there. */
  | { readonly is: 'absent' }
  /** Azure failed, or said something that stands in no row. `done`: whether it may have been done all the same. */
  | { readonly is: 'unknown'; readonly done: 'no' | 'perhaps' }

export interface OutcomeRow {
  /** Which operations the row is about; left out: all. */
  readonly on?: RegExp
  /** Left out: any that is a failure. */
  readonly status?: number
  readonly code: RegExp
  /** One of the details' codes has to match; left out: there need be none. */
  readonly detail?: RegExp
  /** The message has to match, where one code has two meanings. */
  readonly says?: RegExp
  readonly outcome: Outcome
  /** Where the answer is shown: [R] a recording or a public issue that quotes it, [D] documentation, [K] from experience alone. */
  readonly source: string
}
