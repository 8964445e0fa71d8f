export interface Defect {
  readonly what: string
  readonly todo: string
}

export type Finding =
  | { readonly state: 'green'; readonly what: string }
  | { readonly state: 'red'; readonly problems: readonly [Defect, ...Defect[]] }
  | { readonly state: 'not used'; readonly what: string }

/** A line of the doctor's table. Checks only read and run concurrently. */
export interface Check {
  readonly group: string
  readonly name: string
  /** Checks that must be green before this one can run. */
  readonly needs?: readonly Check[]
  /** Timeout in milliseconds. Default: 20,000. */
  readonly limit?: number
  /** Advice if the check itself fails: it is refused, times out or gets no response. */
  readonly otherwise: string
  /** Advice on a timeout or without a response. Default: `otherwise`. */
  readonly unanswered?: string
  /** Throws an Error with a message for the operator if the check cannot be completed. */
  run(signal: AbortSignal): Promise<Finding>
}

/** A finding; `not run` if a required check is not green. */
export type Result = { readonly check: Check } & (Finding | { readonly state: 'not run'; readonly what: string })

export const green = (what: string): Finding => ({ state: 'green', what })
export const notUsed = (what: string): Finding => ({ state: 'not used', what })
export const red = (what: string, todo: string): Finding => ({ state: 'red', problems: [{ what, todo }] })

export function greenUnless(problems: readonly Defect[], what: string): Finding {
  const [first, ...others] = problems
  return first === undefined ? green(what) : { state: 'red', problems: [first, ...others] }
}
