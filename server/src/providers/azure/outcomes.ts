import type { Outcome, OutcomeRow } from './outcome.ts'
import { OUTCOMES } from './outcome-table.ts'

/** An answer of Azure's that is no success, as far as its meaning follows from it. */
export interface RefusedAnswer {
  /** As `operationOf` names it. */
  readonly operation: string
  readonly status: number
  /** `error.code`; empty where the answer has none. */
  readonly code: string
  /** The codes of `error.details`. */
  readonly details: readonly string[]
  readonly message: string
}

/** The meaning of an answer that is no success: its row's, and else what its status alone tells. */
export function outcomeOf(answer: RefusedAnswer): Outcome {
  return rowFor(answer)?.outcome ?? byStatus(answer.status)
}

/** The first row that an answer fits; undefined: it stands in none. */
export const rowFor = (answer: RefusedAnswer): OutcomeRow | undefined => OUTCOMES.find((row) => fits(row, answer))

function fits({ on, status, code, detail, says }: OutcomeRow, answer: RefusedAnswer): boolean {
  return (
    (status === undefined || status === answer.status) &&
    code.test(answer.code) &&
    (on === undefined || on.test(answer.operation)) &&
    (detail === undefined || answer.details.some((each) => detail.test(each))) &&
    (says === undefined || says.test(answer.message))
  )
}

function byStatus(status: number): Outcome {
  if (status === 429) return { is: 'throttled' }
  // Credentials are the whole portal's: once they are mended everything goes on by itself.
  if (status === 401 || status === 403) return { is: 'wait', kind: 'unauthorised', seconds: 60 }
  if (status === 409 || status === 412 || status === 423) return { is: 'conflict' }
  // A 404 without one of Azure's own codes may be some proxy's: it must never make a machine vanish.
  if (status === 404 || status === 408 || status >= 500 || status < 400) return { is: 'unknown', done: 'perhaps' }
  return { is: 'unknown', done: 'no' }
}

/**
 * An operation as the table names it: the method and the full type in lower case, with an action's name after it.
 * `PUT microsoft.compute/virtualmachines`, `POST microsoft.compute/virtualmachines/start`, `DELETE resourcegroups`.
 * @param address a path or an absolute address
 */
export function operationOf(method: string, address: string): string {
  const path = new URL(address, 'https://management.azure.com').pathname.toLowerCase()
  const [, provider] = /.*\/providers\/(.+)$/.exec(path) ?? []
  if (provider === undefined) return `${method} ${typeIn(path.replace(/^\/subscriptions\/[^/]+/, '').slice(1))}`
  const [namespace, ...rest] = provider.split('/')
  return `${method} ${[namespace, typeIn(rest.join('/'))].filter(Boolean).join('/')}`
}

/** `virtualmachines/lab-1/extensions/e` -> `virtualmachines/extensions`. */
const typeIn = (path: string): string =>
  path
    .split('/')
    .filter((_, index) => index % 2 === 0)
    .join('/')
