import { providerErrorIn, CloudError, type CloudErrorKind, errorFactory, isTimeout } from '../errors.ts'
import { ProviderError, retryAfterIn } from '../errors.ts'

const aws = errorFactory({ name: 'AWS', limit: 'A limit of the AWS account', rights: 'credentials and roles' })

/** A failure as the SDK throws it; `name` is the code, with or without Exception at its end. */
interface SdkFailure extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

// Each AWS service has its own codes for one kind of error, all with status 400, so codes are matched first.
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

const codeOf = (problem: unknown): string => (problem instanceof Error ? problem.name.replace(/Exception$/, '') : '')

/** Returns true if AWS itself reported one of the codes. A proxy's error page has no such code. */
export const hasCode = (problem: unknown, ...codes: string[]): boolean =>
  codes.includes(providerErrorIn(problem, ProviderError)?.code ?? codeOf(problem))

/** Returns other errors (bugs in our code) unchanged, so that they surface. */
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
  const kind = BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? byStatus(status)
  const stated = retryAfterIn(failure.$response?.headers?.['retry-after'])
  const pause = stated === null ? null : Math.min(stated, 3_600)
  return aws.fromResponse(kind, action, cause, pause)
}

function byStatus(status: number): CloudErrorKind {
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  return status === 400 || status === 409 ? 'refused' : 'unreachable'
}
