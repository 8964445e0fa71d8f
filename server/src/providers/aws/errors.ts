import { answerBeneath, CloudError, type CloudErrorKind, errorsOf, isTimeout } from '../errors.ts'
import { ProviderError, retryAfterIn } from '../errors.ts'

const aws = errorsOf({ name: 'AWS', limit: 'A limit of the AWS account', rights: 'credentials and roles' })

/** A failure as the SDK throws it: `name` is the code, with or without Exception at its end. */
interface SdkFailure extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

// One kind of error has a code of its own at each of AWS's services, all with status 400: codes are asked first.
const BY_CODE: readonly [RegExp, CloudErrorKind][] = [
  [/^(Throttling|ThrottledRequest|TooManyRequests|RequestLimitExceeded|RequestThrottled)$/, 'throttled'],
  [/^(LimitExceeded|ConstraintViolation|ServiceQuotaExceeded)$/, 'quota'],
  [
    /^(EntityTemporarilyUnmodifiable|ConcurrentModification|DeleteConflict|NoSuchEntity|EntityAlreadyExists)$/,
    'conflict',
  ],
  [
    /^(AccessDenied|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch|ExpiredToken|OptInRequired)$/,
    'unauthorised',
  ],
  [/^(IncompleteSignature|MissingAuthenticationToken|NotAuthorized|RequestExpired)$/, 'unauthorised'],
  [/^(ServiceFailure|ServiceUnavailable|InternalFailure|InternalError|Service)$/, 'unreachable'],
]

/** The code that AWS has for a failure: NoSuchEntity. */
const codeOf = (problem: unknown): string => (problem instanceof Error ? problem.name.replace(/Exception$/, '') : '')

/** True when AWS itself says so, in its own words: no proxy's page does. */
export const says = (problem: unknown, ...codes: string[]): boolean =>
  codes.includes(answerBeneath(problem, ProviderError)?.code ?? codeOf(problem))

/**
 * Any failure of a call as the port's own. `doing` completes 'AWS refuses to ...'. What can't be told from the wire (a
 * bug of ours) is returned as it is, so that it is seen.
 */
export function asCloudError(problem: unknown, doing: string): unknown {
  if (problem instanceof CloudError || !(problem instanceof Error)) return problem
  if (isTimeout(problem.name)) {
    return new CloudError('unreachable', `AWS did not answer in time when asked to ${doing}.`)
  }
  // fetch: no connection, or one that broke.
  if (problem instanceof TypeError && problem.message === 'fetch failed') {
    return aws.unanswered(doing, 'there was no answer')
  }
  const failure: SdkFailure = problem
  const status = failure.$metadata?.httpStatusCode ?? null
  if (status === null) return problem
  const code = codeOf(failure)
  const cause = new ProviderError(status, code, failure.message)
  const kind = BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? byStatus(status)
  const stated = retryAfterIn(failure.$response?.headers?.['retry-after'])
  const pause = stated === null ? null : Math.min(stated, 3_600)
  return aws.answered(kind, doing, cause, pause)
}

function byStatus(status: number): CloudErrorKind {
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  return status === 400 || status === 409 ? 'refused' : 'unreachable'
}
