import { CloudError, type CloudErrorKind } from '../cloud.ts'

/** What AWS answered, without the request (which may hold a password). */
class AwsFault extends Error {
  readonly status: number | null
  readonly code: string
  override readonly name = 'AwsFault'

  constructor(status: number | null, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What AWS's refusals come to. */
type AwsErrorKind = Extract<
  CloudErrorKind,
  'throttled' | 'quota' | 'refused' | 'unauthorised' | 'conflict' | 'unreachable'
>

/** A failure as the SDK throws it: `name` is the code, with or without Exception at its end. */
interface SdkFailure extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> }
}

// One kind of error has a code of its own at each of AWS's services, all with status 400: codes are asked first.
const BY_CODE: readonly [RegExp, AwsErrorKind][] = [
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

/** Whether AWS itself says so, in its own words: no proxy's page does. */
export const says = (problem: unknown, ...codes: string[]): boolean =>
  codes.includes(codeOf(problem instanceof CloudError ? problem.cause : problem))

/**
 * Any failure of a call as the port's own. `doing` completes 'AWS refuses to ...'. What can't be told from the wire (a
 * bug of ours) is returned as it is, so that it is seen.
 */
export function asCloudError(problem: unknown, doing: string): unknown {
  if (problem instanceof CloudError || !(problem instanceof Error)) return problem
  if (problem.name === 'AbortError' || problem.name === 'TimeoutError') {
    return new CloudError('unreachable', `AWS did not answer in time when asked to ${doing}.`)
  }
  // fetch: no connection, or one that broke.
  if (problem instanceof TypeError && problem.message === 'fetch failed') {
    return new CloudError('unreachable', `Asked AWS to ${doing}, but there was no answer.`)
  }
  const failure: SdkFailure = problem
  const status = failure.$metadata?.httpStatusCode ?? null
  if (status === null) return problem
  const code = codeOf(failure)
  const cause = new AwsFault(status, code, words(failure.message))
  // The code is the fault's name too, so that it can be asked for where it was expected.
  Object.defineProperty(cause, 'name', { value: code })
  const kind = BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? byStatus(status)
  return new CloudError(kind, sentence(kind, doing, cause), retryAfter(failure), { cause })
}

function byStatus(status: number): AwsErrorKind {
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'unauthorised'
  return status === 400 || status === 409 ? 'refused' : 'unreachable'
}

function sentence(kind: AwsErrorKind, doing: string, { status, code, message }: AwsFault): string {
  const sentences: Record<AwsErrorKind, string> = {
    throttled: `AWS asks for a pause before it will ${doing} (${code}).`,
    quota: `A limit of the AWS account is reached: ${message}`,
    refused: `AWS refuses to ${doing}: ${message}`,
    unauthorised: `AWS does not let the portal ${doing} (${code}): look at its credentials and roles.`,
    conflict: `AWS can not ${doing} just now (${code}): ${message}`,
    unreachable: `AWS failed when asked to ${doing} (status ${status}).`,
  }
  return sentences[kind]
}

function retryAfter({ $response }: SdkFailure): number | null {
  const stated = Number($response?.headers?.['retry-after'] ?? Number.NaN)
  return Number.isFinite(stated) && stated >= 0 ? Math.min(stated, 3_600) : null
}

const words = (message: string): string => message.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
