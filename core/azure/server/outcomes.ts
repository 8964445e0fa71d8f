import type { Outcome, OutcomeRow } from './outcome.ts'
import { OUTCOMES } from './outcome-table.ts'

export interface FailedResponse {
  readonly operation: string
  readonly status: number
  readonly code: string
  readonly details: readonly string[]
  readonly message: string
}

/**
 * Returns the error that decides the meaning of a response, with its row: the innermost one in the table, or the
 * innermost one if none is. A nested "not found" may concern another resource, so only the outermost error can mean
 * that the resource is absent.
 * @param errors result of `errorsIn`
 */
export function decisiveError<Body extends Omit<FailedResponse, 'operation' | 'status'>>(
  { operation, status }: Pick<FailedResponse, 'operation' | 'status'>,
  errors: readonly [Body, ...Body[]],
): { readonly error: Body; readonly row: OutcomeRow | undefined } {
  const outermost = errors.at(-1)!
  const found = errors.map((error) => {
    const row = rowFor({ operation, status, ...error })
    return { error, row: row?.outcome.is === 'absent' && error !== outermost ? undefined : row }
  })
  return (
    // A row with the code of a detail is about both errors.
    found.find(({ row }) => row?.detail !== undefined) ??
    found.find(({ row }) => row !== undefined) ??
    found.find(({ error }) => error.message !== '') ?? { error: outermost, row: undefined }
  )
}

export const rowFor = (answer: FailedResponse): OutcomeRow | undefined => OUTCOMES.find((row) => matches(row, answer))

function matches({ on, status, code, detail, message: pattern }: OutcomeRow, answer: FailedResponse): boolean {
  return (
    (status === undefined || status === answer.status) &&
    code.test(answer.code) &&
    (on === undefined || on.test(answer.operation)) &&
    (detail === undefined || answer.details.some((each) => detail.test(each))) &&
    (pattern === undefined || pattern.test(answer.message))
  )
}

/** Returns the meaning of an error response that is not in the table. */
export function byStatus(status: number): Outcome {
  if (status === 429) return { is: 'throttled' }
  // The whole portal uses the same credentials. All operations continue once they are corrected.
  if (status === 401 || status === 403) return { is: 'wait', kind: 'unauthorised', seconds: 60 }
  if (status === 409 || status === 412 || status === 423) return { is: 'conflict' }
  // A 404 without one of Azure's own codes may come from a proxy. It must not make a machine count as deleted.
  if (status === 404 || status === 408 || status >= 500 || status < 400) return { is: 'unknown', done: 'perhaps' }
  return { is: 'unknown', done: 'no' }
}

/**
 * Returns the operation, such as `PUT microsoft.compute/virtualmachines` or `POST
 * microsoft.compute/virtualmachines/start`.
 */
export function operationOf(method: string, address: string): string {
  const path = new URL(address, 'https://management.azure.com').pathname.toLowerCase()
  const [, provider] = /.*\/providers\/(.+)$/.exec(path) ?? []
  if (provider === undefined) return `${method} ${typeIn(path.replace(/^\/subscriptions\/[^/]+/, '').slice(1))}`
  const [namespace, ...rest] = provider.split('/')
  return `${method} ${[namespace, typeIn(rest.join('/'))].filter(Boolean).join('/')}`
}

const typeIn = (path: string): string =>
  path
    .split('/')
    .filter((_, index) => index % 2 === 0)
    .join('/')
