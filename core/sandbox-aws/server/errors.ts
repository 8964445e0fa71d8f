import {
  providerErrorIn,
  CloudError,
  type CloudErrorKind,
  errorFactory,
  isTimeout,
} from '@trainyard/platform/server/providers/errors.ts'
import { ProviderError, retryAfterIn, sentenceWith } from '@trainyard/platform/server/providers/errors.ts'
import { AWS_OUTCOMES } from './outcome-table.ts'

const aws = errorFactory({ name: 'AWS', limit: 'A limit of the AWS account', rights: 'credentials and roles' })

/** Failure that the SDK throws. `name` is the code, with or without Exception at its end. */
interface SdkFailure extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
  /** Code within the error, such as the constraint that was violated (Organizations API). */
  readonly Reason?: string
}

const codeOf = (problem: unknown): string => (problem instanceof Error ? problem.name.replace(/Exception$/, '') : '')

/** Returns true if AWS itself reported one of the codes. A proxy's error page has no such code. */
export const hasCode = (problem: unknown, ...codes: string[]): boolean =>
  codes.includes(providerErrorIn(problem, ProviderError)?.code ?? codeOf(problem))

/**
 * Returns the failure as a CloudError. Other errors (bugs in our code) are returned unchanged, so that they surface.
 */
export function asCloudError(problem: unknown, action: string): unknown {
  if (problem instanceof CloudError || !(problem instanceof Error)) return problem
  if (isTimeout(problem.name)) {
    return new CloudError('unreachable', `AWS did not respond in time to the request to ${action}.`)
  }
  if (problem instanceof TypeError && problem.message === 'fetch failed') {
    return aws.noResponse(action, 'no response')
  }
  const failure: SdkFailure = problem
  const status = failure.$metadata?.httpStatusCode ?? null
  if (status === null) return problem
  const code = codeOf(failure)
  const cause = new ProviderError(status, code, failure.message)
  const rowOf = (each: string) =>
    AWS_OUTCOMES.find((row) => row.code.test(each) && row.message?.test(failure.message) !== false)
  const inner = failure.Reason === undefined ? undefined : rowOf(failure.Reason)
  const row = inner ?? rowOf(code)
  const facts = {
    action,
    code: inner === undefined ? code : failure.Reason!,
    message: cause.message,
    ...row?.message?.exec(failure.message)?.groups,
  }
  const stated = retryAfterIn(failure.$response?.headers?.['retry-after'])
  const pause = stated === null ? null : Math.min(stated, 3_600)
  return aws.fromResponse(row?.kind ?? byStatus(status), action, cause, pause, {
    sentence: row?.sentences === undefined ? null : sentenceWith(row.sentences, facts),
    ...(row?.seconds === undefined ? {} : { maxRetrySeconds: row.seconds }),
  })
}

function byStatus(status: number): CloudErrorKind {
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  return status === 400 || status === 409 ? 'refused' : 'unreachable'
}
