export interface Defect {
  readonly what: string
  readonly todo: string
}

export type Finding =
  | { readonly state: 'green'; readonly what: string }
  | { readonly state: 'red'; readonly problems: readonly [Defect, ...Defect[]] }
  | { readonly state: 'not used'; readonly what: string }

export interface Check {
  readonly group: string
  readonly name: string
  readonly needs?: readonly Check[]
  /** Timeout in milliseconds. Default: 20,000. */
  readonly limit?: number
  /** Advice if the check itself fails: it is refused, times out or gets no response. */
  readonly otherwise: string
  /** Advice if the check times out or gets no response. Default: `otherwise`. */
  readonly unanswered?: string
  run(signal: AbortSignal): Promise<Finding>
}

export type Result = { readonly check: Check } & (Finding | { readonly state: 'not run'; readonly what: string })

export const green = (what: string): Finding => ({ state: 'green', what })
export const notUsed = (what: string): Finding => ({ state: 'not used', what })
export const red = (what: string, todo: string): Finding => ({ state: 'red', problems: [{ what, todo }] })

export function greenUnless(problems: readonly Defect[], what: string): Finding {
  const [first, ...others] = problems
  return first === undefined ? green(what) : { state: 'red', problems: [first, ...others] }
}
