/** A problem to mend, and how. */
export interface ToMend {
  readonly what: string
  readonly todo: string
}

/** The result of a check. */
export type Finding =
  | { readonly state: 'green'; readonly what: string }
  | { readonly state: 'red'; readonly problems: readonly [ToMend, ...ToMend[]] }
  | { readonly state: 'not used'; readonly what: string }

/** One line of the doctor's table. A check only reads, and may be made at the same time as all others. */
export interface Check {
  readonly group: string
  readonly name: string
  /** Checks that must be green first: without them this one can't be made. */
  readonly needs?: readonly Check[]
  /** Milliseconds; 20,000 when left out. */
  readonly limit?: number
  /** Advice for when the check itself fails: it is refused, nobody answers, or not in time. */
  readonly otherwise: string
  /** Advice for when nobody answers, or not in time; that above when left out. */
  readonly unanswered?: string
  /** Throws with a sentence for people when the question can't be asked. */
  run(signal: AbortSignal): Promise<Finding>
}

/** A finding; `not made` when what the check needs is missing. */
export type Result = { readonly check: Check } & (Finding | { readonly state: 'not made'; readonly what: string })

export const green = (what: string): Finding => ({ state: 'green', what })
export const notUsed = (what: string): Finding => ({ state: 'not used', what })
export const red = (what: string, todo: string): Finding => ({ state: 'red', problems: [{ what, todo }] })

/** Red with every problem found, or green where there is none. */
export function greenUnless(problems: readonly ToMend[], what: string): Finding {
  const [first, ...others] = problems
  return first === undefined ? green(what) : { state: 'red', problems: [first, ...others] }
}
